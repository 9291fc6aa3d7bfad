needs python3 setpriv
version "Python $(python3 -c 'import platform; print(platform.python_version())')"
http_server
closed=${CLOSED##*:}
fixed "'127.0.0.1', $closed" "'127.0.0.1', 9"

say ok.py 'print("ok")'
record python3 ok.py
record python3 nope.py
record python3 -m no_such_module
record python3 -c 'import no_such_module'
say import.py 'import requests_of_nobody.sub'
record python3 import.py
say name.py 'from os import no_such_name'
record python3 name.py
say syntax.py 'def f(:
    pass'
record python3 syntax.py
say indent.py 'if True:
print(1)'
record python3 indent.py
say tabs.py "$(printf 'if True:\n\tx = 1\n        y = 2')"
record python3 tabs.py
say file.py 'open("/no/such/data.csv")'
record python3 file.py
say exists.py 'import os; os.mkdir("made"); os.mkdir("made")'
record python3 exists.py
say refused.py "import socket; socket.create_connection(('127.0.0.1', $closed))"
record python3 refused.py
say urlrefused.py "import urllib.request; urllib.request.urlopen('http://127.0.0.1:$closed/')"
record python3 urlrefused.py
for status in 401 403 404 429 500 503; do
  say "http$status.py" "import urllib.request; urllib.request.urlopen('$HTTP/$status')"
  record python3 "http$status.py"
done
say tls.py "import urllib.request; urllib.request.urlopen('$HTTPS/')"
record python3 tls.py
say name2.py "import urllib.request; urllib.request.urlopen('http://no-such-host.invalid/')"
record python3 name2.py
say slow.py "import urllib.request; urllib.request.urlopen('http://$SILENT/', timeout=0.3)"
record python3 slow.py
say port.py "import socket
a = socket.create_server(('127.0.0.1', 0)); socket.create_server(a.getsockname())"
record python3 port.py
say zero.py '1/0'
record python3 zero.py
say key.py 'd = {"permission denied": 1}
d["not found"]'
record python3 key.py
say type.py '"a" + 1'
record python3 type.py
say attribute.py 'None.missing_file'
record python3 attribute.py
say undefined.py 'print(undefined_thing)'
record python3 undefined.py
say assert.py 'assert 1 == 2, "connection refused was expected"'
record python3 assert.py
say value.py 'int("abc")'
record python3 value.py
say json.bad '{"a": }'
say jsonfile.py 'import json as j; j.load(open("json.bad"))'
record python3 jsonfile.py
say decode.py 'b"\xff".decode()'
record python3 decode.py
say exit1.py 'import sys; sys.exit(1)'
record python3 exit1.py
say exitmsg.py 'import sys; sys.exit("config.toml: file not found")'
record python3 exitmsg.py
say exit3.py 'raise SystemExit(3)'
record python3 exit3.py
say args.py 'import argparse; p = argparse.ArgumentParser(); p.add_argument("--n", type=int, required=True); p.parse_args()'
record python3 args.py
record python3 args.py --n x
record python3 args.py --n 1 --frob
say input.py 'input("Name? ")'
record python3 input.py
say asks.py "import getpass; getpass.getpass()"
record python3 asks.py
say recursion.py 'def f(): f()
f()'
record python3 recursion.py
say memory.py 'x = "a" * (1 << 62)'
record python3 memory.py
say chain.py "try:
    open('/no/such/file')
except OSError as e:
    raise RuntimeError('could not start') from e"
record python3 chain.py
say during.py "try:
    {}['a']
except KeyError:
    import socket; socket.create_connection(('127.0.0.1', $closed))"
record python3 during.py
say proc.py 'import subprocess; subprocess.run(["no-such-program-x"])'
record python3 proc.py
say procfail.py 'import subprocess; subprocess.run(["ls", "/no/such"], check=True)'
record python3 procfail.py
say segv.py 'import ctypes; ctypes.string_at(0)'
record python3 segv.py
say kill.py 'import os, signal; os.kill(os.getpid(), signal.SIGKILL)'
record python3 kill.py
say setting.py "import os; os.environ[\"DATABASE_URL\"]"
record python3 setting.py
say sqlite.py 'import sqlite3; sqlite3.connect(":memory:").execute("select * from nothing")'
record python3 sqlite.py
say log.py 'import logging; logging.error("Connection refused, will go on"); raise ZeroDivisionError("no")'
record python3 log.py
say group.py 'raise ExceptionGroup("several", [ConnectionRefusedError(111, "Connection refused"), ValueError(2)])'
record python3 group.py
say unit.py 'import unittest
class T(unittest.TestCase):
    def test_a(self): self.assertEqual(1, 2)
    def test_b(self): pass
unittest.main()'
record python3 unit.py
record python3 -m unittest no_such_tests
mkdir empty; record python3 -m unittest discover -s empty
record python3 -m json.tool json.bad
record python3 -m compileall -q syntax.py
record python3 -m py_compile syntax.py
record python3 -m http.server notaport
record python3 -m venv /proc/x
record python3 --frobnicate
record python3 -W
record python3 -c 'print("a'
record python3 -c 'raise PermissionError(13, "Permission denied", "/etc/shadow")'
record python3 -c 'raise TimeoutError("waited for the job")'
record python3 -c 'raise NotImplementedError("later")'
record python3 -c 'raise KeyboardInterrupt'
record python3 -c 'import warnings; warnings.warn("file not found"); raise RuntimeError("bad day")'
mkdir folder
record python3 folder
chmod 755 "$RECORD_WORLD/.."; chmod 000 ok.py
mkdir other
printf '#!/bin/sh\nexec setpriv --reuid=65534 --regid=65534 --clear-groups -- /usr/bin/python3 "$@"\n' >other/python3
chmod 755 other/python3
PATH=$PWD/other:$PATH record python3 ok.py
mkdir small && mount -t tmpfs -o size=16k tmpfs small
say full.py 'open("small/x", "w").write("a" * 100000)'
record python3 full.py
umount small
record python3 --version

# Other versions, where the PATH has them
for name in python3.13 python3.6 python2.7; do
  "$name" -c '' 2>/dev/null || continue
  version "Python $("$name" -c 'import platform; print(platform.python_version())')"
  fixed "$("$name" -c 'import sys; print(sys.prefix)')/" /usr/local/
  record "$name" -m unittest discover -s empty
  record "$name" syntax.py
  record "$name" import.py
  record "$name" file.py
  record "$name" setting.py
  record "$name" proc.py
  record "$name" urlrefused.py
  say old.py 'print "hello"
open("/no/such/file")'
  record "$name" old.py
  record "$name" --frobnicate
done
