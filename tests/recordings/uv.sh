needs uv python3
version "uv $(uv --version | sed 's/uv \([0-9.]*\).*/\1/')"
http_server
export UV_CACHE_DIR="$RECORD_WORLD/../uv-cache" UV_PYTHON_DOWNLOADS=never UV_HTTP_TIMEOUT=3 UV_HTTP_RETRIES=0 UV_NO_CONFIG=1
export UV_TOOL_DIR="$RECORD_WORLD/tools" UV_TOOL_BIN_DIR="$RECORD_WORLD/bin" UV_LINK_MODE=copy
unset UV_INDEX_URL UV_EXTRA_INDEX_URL UV_INDEX PIP_INDEX_URL UV_FIND_LINKS UV_CONFIG_FILE UV_PYTHON UV_SYSTEM_PYTHON VIRTUAL_ENV CONDA_PREFIX
# A Python of a virtual environment on PATH would be installed into, so PATH has none.
mkdir own && ln -s "$(command -v uv)" "$(command -v uvx)" own/
PATH="$PWD/own:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin:$UV_TOOL_BIN_DIR"

# An index with two versions of one wheel, and one that needs the first of them.
use python_index && python_index
export UV_DEFAULT_INDEX="$index"
wheel alpha 1.0.0 ''
wheel alpha 2.0.0 ''
wheel betas 1.0.0 '' 'Requires-Dist: alpha==1.0.0'
wheel later 1.0.0 '' 'Requires-Python: >=3.99'
wheel toolbox 1.0.0 toolbox
wheel broken 1.0.0 ''
echo 'no wheel at all' >"$root/simple/broken/broken-1.0.0-py3-none-any.whl"
sed -i 's/<a /<a data-requires-python="\&gt;=3.99" /' "$root/simple/later/index.html"
mkdir "$root/simple/windows" && echo '<a href="windows-1.0.0-cp39-cp39-win_amd64.whl">windows-1.0.0-cp39-cp39-win_amd64.whl</a>' >"$root/simple/windows/index.html"

mkdir empty && cd empty || exit
record uv sync
record uv add alpha
record uv lock
record uv pip install alpha
record uv isntall
record uv pip check
record uv self update --zzz
record uv install x
record uv list
record uv frobnicate
record uv pip install --zzz x
record uv pip install --upgrad x
record uv pip instal x
record uv pip
record uv add
record uv venv --python 2.4
record uv venv --python nonsense-9
record uv python install 3.12
record uv python install 9.9
record uv python find 3.99
record uv run nope.py
record uv run nopecommand
record uv tool install nopetool
record uv tool install alpha
record uv tool install toolbox
record uv tool install toolbox
record uv tool list
record uv tool upgrade nope
record uv tool run nopetool
record uv tool run --from alpha nope
record uv tool uninstall nope
record uvx nopetool
record uvx toolbox
record uv init --name '!!'
record uv build
record uv publish
record uv publish nope.whl
record uv export
record uv tree
record uv version
record uv self update
record uv venv
record uv venv
record uv pip install nopepkg
record uv pip install alpha==9
record uv pip install alpha==2.0.0 betas
record uv pip install later
record uv pip install windows
record uv pip install 'alpha=>1'
record uv pip install broken
record uv pip install ./nope
record uv pip install -r nope.txt
echo 'alpha ==' >bad.txt
record uv pip install -r bad.txt
record uv pip install alpha
record uv pip install alpha
record uv pip list
record uv pip list --format json
record uv pip freeze
record uv pip show alpha
record uv pip show nope
record uv pip uninstall nope
record uv pip install --no-deps betas
record uv pip check
record uv pip tree
record uv python find
record uv cache dir
echo 'alpha==1.0.0 --hash=sha256:0000000000000000000000000000000000000000000000000000000000000000' >hashed.txt
record uv pip install --require-hashes --reinstall -r hashed.txt
record uv pip install --require-hashes alpha
echo 'nopepkg' >in.txt
record uv pip compile in.txt
for address in "http://$CLOSED/simple" "http://$SILENT/simple" "http://$HANGUP/simple" "$HTTP/401" "$HTTP/403" "$HTTP/404" "$HTTP/429" "$HTTP/500" "$HTTP/503" "$HTTPS/simple" "$HTTPS_EXPIRED/simple" https://index.invalid/simple; do
  record uv pip install --no-cache --default-index "$address" gamma
done
record uv pip install --no-cache "$HTTP/404/alpha-1.0.0-py3-none-any.whl"
record uv pip install --no-cache "http://$CLOSED/alpha-1.0.0-py3-none-any.whl"
record uv pip install --offline gamma
record uv pip install git+https://git.invalid/x.git
record uv pip install git+file:///nowhere/x.git
mkdir old && "$RECORD_PYTHON" - <<'PYTHON'
for name, body in {
    "exits": "raise SystemExit(7)",
    "raises": "raise RuntimeError('something broke')",
    "imports": "import nopemodule",
    "compiler": "import subprocess, sys; print(\"error: command 'gcc' failed: No such file or directory\", file=sys.stderr); sys.exit(1)",
}.items():
    import os
    os.mkdir(f"old/{name}")
    open(f"old/{name}/pyproject.toml", "w").write(f'[project]\nname = "{name}"\nversion = "1"\n[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n')
    open(f"old/{name}/backend.py", "w").write(f"def build_wheel(*a, **k):\n    {body}\ndef build_sdist(*a, **k):\n    {body}\n")
PYTHON
for name in exits raises imports compiler; do record uv pip install "./old/$name"; done
record uv build old/raises

# Sources that do not compile, and a header that is not there
for name in header syntax; do
  mkdir "old/$name" && sed "s/raises/$name/" old/raises/pyproject.toml >"old/$name/pyproject.toml"
  printf 'import subprocess, sys\ndef build_wheel(*a, **k):\n    sys.exit(subprocess.run(["cc", "-c", "-o", "/dev/null", "part.c"]).returncode)\n' >"old/$name/backend.py"
done
echo '#include <nowhere.h>' >old/header/part.c
echo 'int main(void) { return 1 }' >old/syntax/part.c
if command -v cc >/dev/null; then record uv pip install ./old/header; record uv pip install ./old/syntax; fi
mkdir ../bare && printf '[tool.other]\nx = 1\n' >../bare/pyproject.toml
(cd ../bare && record uv add alpha)

# Publishing
cp "$root/simple/alpha/alpha-1.0.0-py3-none-any.whl" .
for status in 400 401 403 409 503; do
  record uv publish --publish-url "$HTTP/$status" --username me --password wrong alpha-1.0.0-py3-none-any.whl
done
record uv publish --publish-url "http://$CLOSED/" --token wrong alpha-1.0.0-py3-none-any.whl
record uv publish --publish-url "$HTTP/401" alpha-1.0.0-py3-none-any.whl

# Debian says of its own Python that others keep it; --dry-run holds where another system does not
record uv pip install --system --dry-run --python /usr/bin/python3 alpha
mkdir ../project && cd ../project || exit
record uv init -q --name demo --bare
record uv init
record uv add alpha
record uv add nopepkg
record uv add alpha==9
record uv remove nope
record uv lock --check
record uv sync
record uv tree
record uv version
record uv export --no-hashes
sed -i 's/"alpha[^"]*"/"alpha==2.0.0", "betas"/' pyproject.toml
record uv lock
record uv lock --check
record uv sync --locked
record uv sync --frozen
sed -i 's/"alpha==2.0.0", "betas"/"alpha==1.0.0"/' pyproject.toml
record uv lock --check
record uv sync --locked
sed -i 's/"alpha==1.0.0"/"alpha==2.0.0", "betas"/' pyproject.toml
rm -f uv.lock && record uv sync --frozen
sed -i 's/"alpha==2.0.0", "betas"/"alpha"/' pyproject.toml
record uv sync --extra nope
record uv sync --group nope
record uv run --package nope true
record uv run python -c 'raise SystemExit(3)'
record uv run nopecommand
record uv run nope.py
record uv lock -q
record uv sync --locked --dry-run
sed -i 's/^version = .*/version = "9"/' uv.lock && echo 'x = [' >>uv.lock
record uv sync
printf 'version = 99\nrevision = 1\nrequires-python = ">=3.8"\n' >uv.lock
record uv sync
rm -f uv.lock
echo '[project' >pyproject.toml
record uv sync
printf '[project]\nname = "demo"\n' >pyproject.toml
record uv sync
printf '[project]\nname = "demo"\nversion = "1"\nrequires-python = ">=3.99"\n' >pyproject.toml
record uv sync
record uv run --python 3.11 true
printf '[project]\nname = "demo"\nversion = "1"\n[build-system]\nrequires = ["nopebackend"]\nbuild-backend = "nope"\n' >pyproject.toml
record uv build
printf '[project]\nname = "demo"\nversion = "1"\n[build-system]\nrequires = []\nbuild-backend = "nope"\n' >pyproject.toml
record uv build
printf '[project]\nname = "demo"\nversion = "1"\n[tool.uv]\nrequired-version = ">=99"\n' >pyproject.toml
record env -u UV_NO_CONFIG uv sync
cd ../empty || exit
mkdir small && mount -t tmpfs -o ro tmpfs small && { record uv pip install --target small/x alpha; umount small; }
mount -t tmpfs -o size=4k,nr_inodes=4 tmpfs small && { record uv pip install --target small/x alpha; umount small; }
mkdir locked && chmod 555 locked && chmod 755 "$RECORD_WORLD/.." && chmod -R a+rX "$RECORD_WORLD" "$UV_CACHE_DIR"
record setpriv --reuid=65534 --regid=65534 --clear-groups -- env HOME=/nowhere UV_NO_CACHE=1 uv venv locked/venv
UV_CONCURRENT_DOWNLOADS=none record uv pip install alpha
UV_PYTHON=/nowhere/python record uv pip install alpha
