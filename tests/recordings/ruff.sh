needs ruff
version "ruff $(ruff --version | sed 's/ruff //')"
fixed "$(dirname "$(dirname "$(command -v ruff)")")" /opt/venv

printf '[lint]\n' >ruff.toml
printf 'import os\nx = 1\n' >unused.py
printf 'x = 1\n' >good.py
printf 'def f(:\n    pass\n' >syntax.py
printf 'x = {  "a":1 }\n' >ugly.py
printf 'open("Permission denied.txt")\nimport os\n' >'permission denied.py'

record ruff check good.py
record ruff check unused.py
record ruff check 'permission denied.py'
record ruff check syntax.py
record ruff check unused.py syntax.py
record ruff check --output-format json syntax.py
record ruff check unused.py nosuch.py
record ruff check nosuch.py
record ruff check good.py nosuch.py
record ruff check --nosuchflag
record ruff check --selec F good.py
record ruff chek good.py
record ruff nosuchcommand
record ruff unused.py
record ruff
record ruff check --select NOSUCH1 good.py
record ruff check --select
record ruff check --output-format nosuch unused.py
record ruff check --output-format json unused.py
record ruff check --output-format json good.py
record ruff check --output-format concise unused.py
record ruff check --fix --exit-non-zero-on-fix unused.py && printf 'import os\nx = 1\n' >unused.py
record ruff check --exit-zero unused.py
record ruff check --diff unused.py
record ruff check --target-version py99 good.py
record ruff check --config nosuch.toml good.py
record ruff check --config 'lint.nosuch=1' good.py
record ruff check --stdin-filename x.py - <<<''
record ruff format --check ugly.py
record ruff format --check good.py
record ruff format --check ugly.py syntax.py
record ruff format --diff ugly.py
record ruff format syntax.py
record ruff format nosuch.py
record ruff rule NOSUCH
record ruff rule F401 --output-format json
record ruff config nosuch
record ruff linter --output-format json
record ruff version --output-format json
mkdir empty && record ruff check empty
mkdir bad && cd bad && cp ../good.py .
printf '[tool.ruff\nx = 1\n' >pyproject.toml
record ruff check --no-cache good.py
printf '[tool.ruff]\nnosuch-key = 1\n' >pyproject.toml
record ruff check -n good.py
printf '[tool.ruff]\nrequired-version = ">=99"\n' >pyproject.toml
record ruff check --no-fix good.py
printf '[tool.ruff.lint]\nselect = ["NOSUCH"]\n' >pyproject.toml
record ruff check --quiet good.py
printf '[tool.ruff]\nextend = "../nothere.toml"\n' >pyproject.toml
record ruff check --verbose good.py
cd ..
printf '{"cells": [' >broken.ipynb
record ruff check broken.ipynb
printf '\xff\xfe\x00\x01' >binary.py
record ruff check binary.py
cp good.py locked.py && chmod 000 locked.py
as_nobody ruff check --no-cache locked.py
cp ugly.py foreign.py
as_nobody ruff format --no-cache foreign.py
record ruff check --add-noqa unused.py
record ruff clean
record ruff analyze graph good.py
