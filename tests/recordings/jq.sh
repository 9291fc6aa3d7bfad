needs jq
version "$(jq --version | sed 's/-/ /')"
echo '{"a": {"b": 1}, "s": "text", "l": [1, 2], "n": null, "f": false}' >a.json
echo '{"a": 1,}' >bad.json
printf '{"a": 1}\n{"a": "permission denied"}\n{"a": oops}\n' >late.json
printf '[1, 2' >cut.json
printf 'def f: .a\n' >broken.jq
: >empty.json

record jq . nofile.json
record jq -c .a a.json nofile.json
record jq .a a.json
record jq . bad.json
record jq -c .a late.json
record jq . cut.json
record jq .a.b.c a.json
record jq '.n | keys' a.json
record jq '.[] | .x' a.json
record jq '.s + 1' a.json
record jq '.s | tonumber' a.json
record jq '.n[]' a.json
record jq '.n | error("no such file or directory")' a.json
record jq '"quota: not found\n" | halt_error' a.json
record jq '"gone" | halt_error(1)' a.json
record jq .a. a.json
record jq '.a | foo' a.json
record jq '.a[' a.json
record jq '$x' a.json
record jq '{a b}' a.json
record jq -f broken.jq a.json
record jq -f nofile.jq a.json
record jq 'import "lib" as lib; .' a.json
record jq -e .missing a.json
record jq -e .f a.json
record jq -e empty a.json
record jq -e . empty.json
record jq --nosuch . a.json
record jq -Z . a.json
record jq
record jq --arg x
record jq --argjson x '{' . a.json
record jq --slurpfile x nofile.json . a.json
record jq --slurpfile x bad.json . a.json
record jq --indent 9 . a.json
record jq . .
record jq -r .s a.json
if command -v gojq >/dev/null; then
  version "$(gojq --version | sed 's/ (.*//')"
  record gojq . bad.json
  record gojq .a.b.c a.json
  record gojq '.a[' a.json
  record gojq . nofile.json
  record gojq -e .missing a.json
  record gojq --nosuch . a.json
  record gojq '.a | foo' a.json
fi
