# An index of Python packages in plain files. The server is Python's, because that of http_server has no text/html.

python_index() {
  root="$RECORD_WORLD/../index" && mkdir -p "$root"
  local port=$(free_port)
  "$RECORD_PYTHON" -m http.server --bind 127.0.0.1 --directory "$root" "$port" >/dev/null 2>&1 &
  fixed "127.0.0.1:$port" 127.0.0.1:8010
  wait_for "$port"
  index="http://127.0.0.1:$port/simple"
}

wheel() { # NAME VERSION COMMAND METADATA…
  mkdir -p "$root/simple/$1"
  (cd "$root/simple/$1" && "$RECORD_PYTHON" - "$@" <<'PYTHON'
import sys, zipfile
name, version, command, *more = sys.argv[1:]
with zipfile.ZipFile(f"{name}-{version}-py3-none-any.whl", "w") as z:
    info = f"{name}-{version}.dist-info/"
    z.writestr(f"{name}.py", "def main():\n    raise SystemExit(3)\n")
    z.writestr(info + "METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n" + "".join(line + "\n" for line in more))
    z.writestr(info + "WHEEL", "Wheel-Version: 1.0\nGenerator: world\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
    if command:
        z.writestr(info + "entry_points.txt", f"[console_scripts]\n{command} = {name}:main\n")
    z.writestr(info + "RECORD", f"{name}.py,,\n{info}METADATA,,\n{info}WHEEL,,\n{info}RECORD,,\n")
PYTHON
  printf '<a href="%s-%s-py3-none-any.whl">%s-%s-py3-none-any.whl</a>\n' "$1" "$2" "$1" "$2" >>index.html)
}
