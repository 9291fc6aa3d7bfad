# The wrapper around jq that Debian and PyPI have; the Go program of the same name is cited.
needs yq jq
yq --help 2>&1 | grep -q 'jq wrapper' || { echo 'skipped: this yq is not the wrapper around jq' >&2; exit 77; }
version "yq (kislyuk) $(dpkg-query -W -f '${source:Upstream-Version}' yq 2>/dev/null)"
printf 'a:\n  b: 1\nl: [1, 2]\ns: text\n' >a.yaml
printf 'a: b: c\n' >bad.yaml
printf 'a: [1, 2\nb: 3\n' >open.yaml
printf 'a:\n\t- b\n' >tab.yaml
printf 'a: *nowhere\n' >alias.yaml
printf 'a = \n' >bad.toml
printf '<a><b></a>' >bad.xml

record yq . nofile.yaml
record yq . bad.yaml
record yq . open.yaml
record yq . tab.yaml
record yq . alias.yaml
record yq .a a.yaml
record yq -y .a a.yaml
record yq .a a.yaml nofile.yaml
record yq .a.b.c a.yaml
record yq '.a[' a.yaml
record yq '.a | foo' a.yaml
record yq -e .missing a.yaml
record yq --nosuch . a.yaml
record yq -Z . a.yaml
record yq -i . a.yaml
record yq eval .a a.yaml
record yq
command -v xq >/dev/null && record xq . bad.xml
command -v tomlq >/dev/null && record tomlq . bad.toml
mkdir ../nojq && ln -s "$(command -v yq)" ../nojq/yq && ln -s "$(command -v python3)" ../nojq/python3
PATH="$RECORD_WORLD/../nojq" record yq .a a.yaml
