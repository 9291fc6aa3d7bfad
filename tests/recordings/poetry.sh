needs poetry python3
version "Poetry $(poetry --version | sed 's/.*version \([0-9.]*\).*/\1/')"
http_server
export POETRY_CACHE_DIR="$RECORD_WORLD/../poetry-cache" POETRY_VIRTUALENVS_IN_PROJECT=true POETRY_REQUESTS_MAX_RETRIES=0 POETRY_REQUESTS_TIMEOUT=3
export PYTHON_KEYRING_BACKEND=keyring.backends.null.Keyring
unset VIRTUAL_ENV CONDA_PREFIX PIP_INDEX_URL PIP_EXTRA_INDEX_URL
export PIP_CONFIG_FILE=/dev/null PIP_NO_INDEX=1
home=$(dirname "$(dirname "$(realpath "$(command -v poetry)")")") # where it is installed, unless by the system
[ "$home" = /usr ] || fixed "$home" /opt/poetry
# A virtual environment on PATH would be taken for the active one, so PATH has none.
mkdir own && ln -s "$(command -v poetry)" own/
PATH="$PWD/own:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"

# An index with two versions of one wheel, and one that needs the first of them.
use python_index && python_index
index="$index/"
wheel alpha 1.0.0 ''
wheel alpha 2.0.0 ''
wheel betas 1.0.0 '' 'Requires-Dist: alpha==1.0.0'
wheel later 1.0.0 '' 'Requires-Python: >=3.99'
sed -i 's/<a /<a data-requires-python="\&gt;=3.99" /' "$root/simple/later/index.html"

project() { # NAME, INDEX, DEPENDENCIES…
  mkdir "$RECORD_WORLD/$1" && cd "$RECORD_WORLD/$1" || exit
  local address=$2
  printf '[project]\nname = "demo"\nversion = "1.0.0"\nrequires-python = ">=3.9"\ndependencies = [' >pyproject.toml
  shift 2
  printf '"%s",' "$@" | sed 's/^"",$//' >>pyproject.toml
  printf ']\n[tool.poetry]\npackage-mode = false\n' >>pyproject.toml
  [ -z "$address" ] || printf '[[tool.poetry.source]]\nname = "world"\nurl = "%s"\n' "$address" >>pyproject.toml
}

mkdir empty && cd empty || exit
record poetry install
record poetry add alpha
record poetry frobnicate
record poetry isntall
record poetry install --zzz
record poetry
record poetry shell
record poetry export
record poetry version
record poetry new
record poetry config nope.key
record poetry config virtualenvs.create maybe
record poetry self show nope

project good "$index" alpha
record poetry check
record poetry check --lock
record poetry install --no-ansi
record poetry install
record poetry show
record poetry show --tree
record poetry show nope
record poetry show alpha
record poetry install --zzz
record poetry env list
record poetry env info --path
record poetry env use python9.9
record poetry env remove nope
record poetry add nopepkg
record poetry add alpha@9
record poetry add alpha==9.0
record poetry add 'alpha@=>1'
record poetry add alpha
record poetry add later
record poetry add ./nope
record poetry add git+https://git.invalid/x.git
record poetry remove nope
record poetry install --with nope
record poetry install --only nope
record poetry install --extras nope
record poetry update nope
record poetry run nopecommand
record poetry run python -c 'raise SystemExit(3)'
record poetry version
record poetry version nonsense..
record poetry init --name x
record poetry publish
record poetry build
record poetry source show nope
record poetry source remove nope
record poetry source add world "$index"
record poetry cache list
record poetry cache clear nope --all
sed -i 's/"alpha"/"alpha<2"/' pyproject.toml
record poetry install
record poetry check --lock
sed -i 's/"alpha<2"/"alpha==2.0.0","betas"/' pyproject.toml
record poetry lock
echo 'x = [' >>poetry.lock
record poetry install

# (429 and 503 are tried again for as long as Retry-After says)
for address in "http://$CLOSED/simple/" "http://$SILENT/simple/" "http://$HANGUP/simple/" "$HTTP/401/" "$HTTP/403/" "$HTTP/404/" "$HTTP/500/" "$HTTPS/simple/" https://index.invalid/simple/; do
  number=$((number + 1))
  project "index$number" "$address" gamma
  record poetry lock
done

project nolock "$index" alpha
record poetry sync
rm -f poetry.lock && echo '[project' >pyproject.toml
record poetry install
printf '[project]\nname = "demo"\n' >pyproject.toml
record poetry install
record poetry check
printf '[tool.poetry]\nname = "demo"\nversion = "1"\ndescription = ""\nauthors = ["me"]\nfrob = 1\n' >pyproject.toml
record poetry check
printf '[project]\nname = "demo"\nversion = "1.0.0"\nrequires-python = ">=3.99"\n[tool.poetry]\npackage-mode = false\n' >pyproject.toml
record poetry install
record poetry lock
printf '[project]\nname = "demo"\nversion = "1.0.0"\nrequires-python = ">=3.9"\n' >pyproject.toml
record poetry install
printf '[project]\nname = "demo"\nversion = "1.0.0"\nrequires-python = ">=3.9"\n[tool.poetry]\nrequires-poetry = ">=99"\n' >pyproject.toml
record poetry install

# Publishing
project package ''
sed -i '/package-mode/d' pyproject.toml
mkdir demo && : >demo/__init__.py && : >README.md
record poetry publish
mkdir dist && cp "$root/simple/alpha/alpha-1.0.0-py3-none-any.whl" dist/demo-1.0.0-py3-none-any.whl
record poetry publish -r nope
for status in 400 401 403 409 503; do
  poetry config --local "repositories.s$status" "$HTTP/$status"
  record poetry publish -r "s$status" -u me -p wrong
done
poetry config --local repositories.closed "http://$CLOSED/" && record poetry publish -r closed -u me -p wrong
record poetry publish -r s401

# What check reports, and a dependency that cannot be built
project checked "$index" alpha
sed -i 's/^version = .*/&\nclassifiers = ["Nope :: Nope"]/' pyproject.toml
record poetry check
sed -i 's/^classifiers = .*/readme = "nope.md"/' pyproject.toml
record poetry check
project built ''
mkdir part && printf '[project]\nname = "part"\nversion = "1"\n[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n' >part/pyproject.toml
printf 'def build_wheel(*a, **k):\n    import nopemodule\nbuild_editable = build_wheel\n' >part/backend.py
sed -i 's|^dependencies.*|dependencies = ["part @ file://'"$PWD"'/part"]|' pyproject.toml
record poetry install
printf 'def build_wheel(*a, **k):\n    raise RuntimeError("something broke")\nbuild_editable = build_wheel\n' >part/backend.py
record poetry install

# A lock file that promises another file
project promised "$index" alpha
poetry lock >/dev/null 2>&1 && sed -i 's/sha256:[0-9a-f]*/sha256:0000000000000000000000000000000000000000000000000000000000000000/' poetry.lock
record poetry install
