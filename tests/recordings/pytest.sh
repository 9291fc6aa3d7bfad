needs pytest
fixed "$(dirname "$(dirname "$(command -v pytest)")")" /opt/venv
fixed "$("$(dirname "$(command -v pytest)")/python" -c 'import sys; print(sys.base_prefix)')" /usr
version "pytest $(pytest --version 2>&1 | sed 's/^pytest //; s/ .*//')"

cat >test_good.py <<'PY'
def test_one():
    assert 1 + 1 == 2
PY
cat >test_bad.py <<'PY'
import pytest

def test_one():
    assert 1 + 1 == 2

def test_sum():
    assert 1 + 1 == 3

@pytest.fixture
def broken():
    raise ConnectionRefusedError(111, "Connection refused")

def test_uses_broken(broken):
    pass
PY
cat >test_perm.py <<'PY'
def test_denied():
    raise PermissionError(13, "Permission denied")
PY
cat >test_cli.py <<'PY'
import subprocess, sys

def test_usage():
    done = subprocess.run([sys.executable, "-c", "import sys; sys.exit('usage: tool [options]\\nerror: no such option: --x')"])
    assert done.returncode == 0
PY
record pytest test_good.py
record pytest test_bad.py
record pytest -q test_perm.py
record pytest -q -s test_cli.py
record pytest -q test_good.py test_perm.py

# Collection fails
mkdir coll && cd coll
echo 'import nosuchmodule_xyz' >test_import.py
printf 'def test_x(:\n    pass\n' >test_syntax.py
printf 'import pytest\n@pytest.mark.nosuchmark\ndef test_m(): pass\n' >test_mark.py
printf 'def test_x(nosuchfixture): pass\n' >test_fixture.py
printf 'raise RuntimeError("database is locked")\n' >test_raise.py
printf 'from test_good import nothere\n' >test_name.py
cp ../test_good.py .
record pytest test_import.py
record pytest test_syntax.py
record pytest -q test_import.py test_good.py
record pytest test_raise.py
record pytest test_name.py
record pytest --strict-markers test_mark.py
record pytest test_fixture.py
record pytest --continue-on-collection-errors test_import.py test_good.py
cd ..

# Usage
record pytest --nosuchflag
record pytest nosuchfile.py
record pytest test_good.py::test_nosuch
record pytest -k nosuchname
record pytest -k 'one and' test_good.py
record pytest -m 'slow or' test_good.py
record pytest --maxfail=abc
record pytest -p nosuchplugin test_good.py
record pytest --tb=nosuch test_good.py
record pytest -n 2 --nosuch test_good.py
record pytest -c nosuch.ini
record pytest --rootdir=/nonexistent test_good.py
mkdir empty && record pytest empty
record pytest --deselect test_good.py::test_one test_good.py
record pytest --collect-only -q test_good.py
record pytest --version
record pytest --markers -q

# Configuration
mkdir conf && cd conf
# Each has a name of its own, so that a recording is found again.
run() { cp ../test_good.py "$1"; shift; record pytest "$@"; }
printf '[pytest]\naddopts = --cov=app --nosuchopt\n' >pytest.ini
run test_addopts.py test_addopts.py
printf '[pytest\naddopts = -q\n' >pytest.ini
run test_ini.py test_ini.py
printf '[pytest]\nminversion = 999.0\n' >pytest.ini
run test_minversion.py test_minversion.py
printf '[pytest]\nrequired_plugins = pytest-nosuch\n' >pytest.ini
run test_plugins.py test_plugins.py
printf '[pytest]\nnosuchkey = 1\n' >pytest.ini
run test_strict.py --strict-config test_strict.py
rm pytest.ini
printf '[tool.pytest.ini_options\nx = 1\n' >pyproject.toml
run test_toml.py test_toml.py
rm pyproject.toml
echo 'import nosuchmodule_xyz' >conftest.py
run test_conftest_import.py test_conftest_import.py
printf 'def f(:\n' >conftest.py
run test_conftest_syntax.py test_conftest_syntax.py
printf 'import pytest\ndef pytest_configure(config):\n    raise pytest.UsageError("set DATABASE_URL first")\n' >conftest.py
run test_usage.py test_usage.py
printf 'import pytest\ndef pytest_sessionstart(session):\n    pytest.exit("no database", returncode=7)\n' >conftest.py
run test_exit.py test_exit.py
printf 'def pytest_collection_modifyitems(items):\n    items[5]\n' >conftest.py
run test_hook.py test_hook.py
printf 'def pytest_runtest_setup(item):\n    import os, signal; os.kill(os.getpid(), signal.SIGINT)\n' >conftest.py
run test_sigint.py test_sigint.py
rm conftest.py
cd ..

# Crash, limits
printf 'import os\ndef test_x(): os.abort()\n' >test_abort.py
record pytest -q -p no:faulthandler test_abort.py
printf 'import sys\ndef test_x(): sys.exit(3)\n' >test_exit.py
record pytest -q test_exit.py
printf 'import os\ndef test_x(): os._exit(9)\n' >test_hardexit.py
record pytest -q test_hardexit.py
record pytest --junitxml=/proc/nosuch/x.xml -q test_good.py
if pytest --help 2>&1 | grep -q -- --cov-fail-under; then
  printf 'def used(): return 1\ndef unused():\n    x = 1\n    y = 2\n    return x + y\n' >app.py
  printf 'import app\ndef test_used(): assert app.used() == 1\n' >test_app.py
  printf 'import app\ndef test_used(): assert app.used() == 2\n' >test_app_bad.py
  record pytest -q --cov=app --cov-fail-under=95 test_app.py
  record pytest -q --cov=app --cov-fail-under=95 test_app_bad.py
fi
if pytest --help 2>&1 | grep -q -- --timeout=; then
  printf 'import time\ndef test_slow(): time.sleep(30)\n' >test_slow.py
  record pytest -q --timeout=1 test_slow.py
  record pytest -q --timeout=1 --timeout-method=thread test_slow.py
fi
if pytest --help 2>&1 | grep -q -- --numprocesses; then
  record pytest -q -x -n 2 test_perm.py test_good.py
  record pytest -q -n 2 test_abort.py test_good.py
fi
record pytest -x -q test_bad.py
record pytest -q -m 'nosuch' test_good.py
mkdir env && cd env
printf 'import os\nURL = os.environ["DATABASE_URL"]\ndef test_x(): pass\n' >test_env.py
record pytest -q test_env.py
printf 'import socket\nsocket.create_connection(("127.0.0.1", 9))\ndef test_x(): pass\n' >test_net.py
record pytest -q test_net.py
record pytest -q test_net.py::test_x
printf 'def pytest_configure(config):\n    raise OSError(28, "No space left on device")\n' >conftest.py
record pytest -q --co test_net.py
printf 'def pytest_sessionstart(session):\n    raise OSError(28, "No space left on device")\n' >conftest.py
record pytest -qq test_net.py
printf 'def pytest_sessionstart(session):\n    raise PermissionError(13, "Permission denied")\n' >conftest.py
record pytest -v test_net.py
printf 'def pytest_collection_modifyitems(items):\n    import nosuchmodule_xyz\n' >conftest.py
cp ../test_good.py . && record pytest -q test_good.py
rm conftest.py; cd ..
record python -m pytest -q test_bad.py
record python -m pytest --nosuchflag
printf '#!/bin/sh\nexec "$REALPYTHON" -S "$@"\n' >python3 && chmod +x python3
export REALPYTHON="$(command -v python)"
record ./python3 -m pytest -q
