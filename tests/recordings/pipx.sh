needs pipx python3
version "pipx $(pipx --version)"
http_server
export PIPX_HOME="$RECORD_WORLD/pipx" PIPX_BIN_DIR="$RECORD_WORLD/bin" PIPX_MAN_DIR="$RECORD_WORLD/man" USE_EMOJI=0
unset PIP_INDEX_URL PIP_EXTRA_INDEX_URL PIP_FIND_LINKS VIRTUAL_ENV
export PIP_CONFIG_FILE=/dev/null PIP_RETRIES=0 PIP_TIMEOUT=3 PIP_DEFAULT_TIMEOUT=3
home=$(dirname "$(dirname "$(realpath "$(command -v pipx)")")") # where it is installed, unless by the system
[ "$home" = /usr ] || fixed "$home" /opt/pipx
mkdir own && ln -s "$(command -v pipx)" own/
PATH="$PWD/own:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin:$PIPX_BIN_DIR"
export PIPX_DEFAULT_PYTHON=/usr/bin/python3

# An index with a tool, another tool with the same command, and a library.
use python_index && python_index
export PIP_INDEX_URL="$index"
# Newer versions install with uv, which does not look at pip's settings.
export UV_DEFAULT_INDEX="$PIP_INDEX_URL" UV_CACHE_DIR="$RECORD_WORLD/../uv-cache" UV_HTTP_RETRIES=0 UV_HTTP_TIMEOUT=3 UV_NO_CONFIG=1 UV_PYTHON_DOWNLOADS=never UV_LINK_MODE=copy
unset UV_INDEX_URL UV_EXTRA_INDEX_URL UV_INDEX UV_FIND_LINKS
# Older ones want the newest pip from the index; the one that Python brings along will do.
for file in "$(python3 -c 'import ensurepip; print(ensurepip.__path__[0])')"/_bundled/*.whl /usr/share/python-wheels/*.whl; do
  [ -e "$file" ] || continue
  name=$(basename "$file") && mkdir -p "$root/simple/${name%%-*}" && cp "$file" "$root/simple/${name%%-*}/"
  echo "<a href=\"$name\">$name</a>" >>"$root/simple/${name%%-*}/index.html"
done
wheel toolbox 1.0.0 toolbox
wheel second 1.0.0 toolbox
wheel library 1.0.0 ''
wheel needy 1.0.0 needy 'Requires-Dist: nopepkg'
wheel later 1.0.0 later 'Requires-Python: >=3.99'
sed -i 's/<a /<a data-requires-python="\&gt;=3.99" /' "$root/simple/later/index.html"

record pipx
record pipx frobnicate
record pipx install
record pipx install --zzz toolbox
record pipx list
record pipx install nopepkg
record pipx install toolbox==9
record pipx install library
record pipx install needy
record pipx install later
record pipx install toolbox
record pipx install toolbox
record pipx install second
record pipx install 'toolbox=>1'
record pipx install ./nope
record pipx install --python python9.9 library
record pipx list --short
record pipx list --json
record pipx run nopepkg
record pipx run toolbox
record pipx run --spec library nope
record pipx run ./nope.py
record pipx upgrade nope
record pipx upgrade toolbox
record pipx uninstall nope
record pipx reinstall nope
record pipx inject nope library
record pipx inject toolbox nopepkg
record pipx inject toolbox library
record pipx uninject toolbox nope
record pipx runpip nope list
record pipx runpip toolbox frobnicate
record pipx upgrade-all
record pipx environment --value NOPE
record pipx environment --value PIPX_HOME
record pipx pin nope
record pipx interpreter prune
for address in "http://$CLOSED/simple" "http://$SILENT/simple" "$HTTP/401" "$HTTP/403" "$HTTP/503" "$HTTPS/simple" https://index.invalid/simple; do
  number=$((number + 1))
  PIP_INDEX_URL=$address UV_DEFAULT_INDEX=$address record pipx install "gamma$number"
done
mkdir old && printf '[project]\nname = "old"\nversion = "1"\n[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n' >old/pyproject.toml
printf 'def build_wheel(*a, **k):\n    import nopemodule\ndef prepare_metadata_for_build_wheel(*a, **k):\n    import nopemodule\n' >old/backend.py
record pipx install ./old
record pipx uninstall toolbox
mkdir -p "$PIPX_BIN_DIR" && echo mine >"$PIPX_BIN_DIR/toolbox"
record pipx install toolbox
mkdir small && mount -t tmpfs -o ro tmpfs small && { PIPX_HOME="$PWD/small/pipx" record pipx install --include-deps toolbox; umount small; }
