#!/bin/sh
# Makes .venv hold what uv.lock names, and checks that the system has what Python cannot bring.
#
#   scripts/setup.sh play    what the program needs
#   scripts/setup.sh test    that, and what the checks need
#
# System packages are installed when run as root on Debian or a relative of it; otherwise the line
# that installs them is printed and the exit code is 3. PYTHON=/path/to/python picks another Python.
set -eu

mode=${1:-play}
case $mode in play | test) ;; *) echo "usage: scripts/setup.sh play|test" >&2; exit 2 ;; esac
cd "$(dirname "$0")/.."

# Opened by pyglet at run time: OpenGL, the window and its input, text and its fonts, sound.
play_packages="libgl1 libglx-mesa0 libgl1-mesa-dri libglu1-mesa libegl1 libx11-6 libxext6 libxi6
    libxrandr2 libxinerama1 libxcursor1 libxxf86vm1 libfontconfig1 libfreetype6 fontconfig
    fonts-dejavu-core libpulse0"
# A screen, a mouse and a keyboard that nobody touches; a broker for halls; networks of their own.
test_packages="xvfb xdotool mosquitto iproute2"

say() { printf 'setup: %s\n' "$*" >&2; }

fits() { # PYTHON: whether it is one that pyproject.toml allows
    "$1" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 15))' 2>/dev/null
}

find_python() {
    # 3.14 comes last: one dependency has no ready-made build for it and wants a C compiler.
    for name in ${PYTHON:-python3 python3.13 python3.12 python3.11 python3.14}; do
        if command -v "$name" >/dev/null 2>&1 && fits "$name"; then
            command -v "$name"
            return
        fi
    done
    return 1
}

missing_packages() { # PACKAGE...: those of them that Debian's records do not hold as installed
    for package; do
        dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed ||
            printf '%s ' "$package"
    done
}

install_system_packages() {
    if ! command -v dpkg-query >/dev/null 2>&1; then
        say "not a Debian system; if the window does not open, install OpenGL, X11 and fontconfig"
        return
    fi
    wanted=$play_packages
    [ "$mode" = play ] || wanted="$wanted $test_packages"
    if [ -z "$python" ]; then
        wanted="$wanted python3 python3-venv"
    elif ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
        # Debian splits these off the interpreter; the package is named after its version.
        case $(readlink -f "$python") in
            /usr/bin/python3.*) wanted="$wanted $(basename "$(readlink -f "$python")")-venv" ;;
            *) wanted="$wanted python3-venv" ;;
        esac
    fi
    # shellcheck disable=SC2086 # a list of words
    missing=$(missing_packages $wanted)
    missing=${missing% }
    [ -n "$missing" ] || return 0
    if [ "$(id -u)" -ne 0 ]; then
        say "these system packages are missing; install them, then run the same command again:"
        printf '  sudo apt-get update && sudo apt-get install -y --no-install-recommends %s\n' \
            "$missing" >&2
        exit 3
    fi
    say "installing system packages: $missing"
    apt-get update -qq </dev/null
    # shellcheck disable=SC2086 # a list of words
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq -o Dpkg::Use-Pty=0 \
        --no-install-recommends $missing </dev/null >&2
}

python=$(find_python) || python=
install_system_packages
[ -n "$python" ] || python=$(find_python) || {
    say "no Python 3.11 to 3.14 found; install one, or name it: PYTHON=/path/to/python make $mode"
    exit 3
}

# What the folder was set up from; a folder that was moved starts afresh, as its scripts hold paths.
inputs=$({ pwd; echo "$python"; cat uv.lock pyproject.toml scripts/uv.txt scripts/setup.sh; } | cksum)
stamp=.venv/set-up-from
done_for() { [ -x .venv/bin/python ] && [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$1 $inputs" ]; }
# The checks' packages include the program's.
if done_for test || { [ "$mode" = play ] && done_for play; }; then exit 0; fi

if ! .bootstrap/bin/uv --version 2>/dev/null | grep -q "^uv $(sed -n 's/^uv==\([0-9.]*\).*/\1/p' scripts/uv.txt)\b"; then
    say "fetching uv"
    rm -rf .bootstrap
    "$python" -m venv .bootstrap
    .bootstrap/bin/python -m pip install --quiet --disable-pip-version-check --only-binary :all: \
        --require-hashes -r scripts/uv.txt
fi

say "installing the packages that uv.lock names"
groups=--no-dev
[ "$mode" = play ] || groups=--dev
rm -f "$stamp"
UV_PROJECT_ENVIRONMENT=.venv UV_PYTHON_DOWNLOADS=never \
    .bootstrap/bin/uv sync --frozen --quiet $groups --python "$python"
echo "$mode $inputs" >"$stamp"
