needs black
version "black $(black --version | sed -n '1s/black, \([0-9.]*\).*/\1/p')"
fixed "$(dirname "$(dirname "$(command -v black)")")" /opt/venv
fixed "$("$(dirname "$(command -v black)")/python" -c 'import sys; print(sys.base_prefix)')" /usr

printf 'x = {"a": 1}\n' >good.py
printf 'x = {  "a":1 }\n' >ugly.py
printf 'def f(:\n    pass\n' >syntax.py
record black --check good.py
record black --check ugly.py
record black --check -q ugly.py
record black --check good.py ugly.py
record black --diff ugly.py
record black --diff --check ugly.py
record black --check syntax.py
record black --check ugly.py syntax.py
record black syntax.py
cp ugly.py u2.py; record black u2.py syntax.py
record black nosuch.py
record black good.py nosuch.py
record black
record black --nosuchflag good.py
record black --line-lenght 100 good.py
record black --line-length abc good.py
record black --target-version py99 good.py
record black --config nosuch.toml good.py
record black --required-version 99 good.py
record black --include '[' good.py
record black -c 'x=1'
record black -c 'x=('
record black --check --workers 0 good.py ugly.py
mkdir empty && record black empty
record black --version
cp ugly.py u3.py; record black u3.py
mkdir conf && cd conf && cp ../good.py .
printf '[tool.black\nx = 1\n' >pyproject.toml
record black --check --verbose good.py
printf '[tool.black]\nnosuch-key = 1\n' >pyproject.toml
record black --check --fast good.py
printf '[tool.black]\nline-length = "x"\n' >pyproject.toml
record black --check --safe good.py
printf '[tool.black]\nrequired-version = "99"\n' >pyproject.toml
record black --check --color good.py
cd ..
printf '\xff\xfe\x00' >binary.py
record black --check binary.py
printf '{"cells": [' >broken.ipynb
record black --check broken.ipynb
cp good.py locked.py && chmod 000 locked.py
as_nobody black --check locked.py
cp ugly.py foreign.py
as_nobody black foreign.py

rm locked.py
printf '#!/bin/sh\nexec %s -S "$@"\n' "$(dirname "$(command -v black)")/python" >python3 && chmod +x python3
record ./python3 -m black good.py
