"""`python -m tests.bench [NAME]...`: runs the benchmarks named, or every module here that has a
`run`, and prints the lines that it yields. Several run in a process each: a window does not
outlive the virtual screen it was opened on."""

import subprocess
import sys
from importlib import import_module
from pkgutil import iter_modules

from tests import bench

names = sorted(found.name for found in iter_modules(bench.__path__) if found.name != "__main__")
modules = {name: import_module(f"tests.bench.{name}") for name in names}
benches = {name: module for name, module in modules.items() if hasattr(module, "run")}
wanted = sys.argv[1:] or list(benches)
unknown = [name for name in wanted if name not in benches]
if unknown:
    sys.exit(f"there is no benchmark {', '.join(unknown)}; choose of {', '.join(benches)}")
if len(wanted) > 1:
    runs = [subprocess.run([sys.executable, "-m", "tests.bench", name]) for name in wanted]
    sys.exit(max(run.returncode != 0 for run in runs))
for line in benches[wanted[0]].run():
    print(line, flush=True)
