# A registry of npm packages in plain files below $HTTP, which http_server serves.

registry() { # NAME DIST-JSON VERSION MANIFEST-JSON …
  "$RECORD_PYTHON" - "$RECORD_WORLD/../http/root" "$HTTP" "$@" <<'PYTHON'
import base64, hashlib, io, json, pathlib, sys, tarfile
root, http, name, override, *rest = sys.argv[1:]
folder = pathlib.Path(root)
(folder / "tgz").mkdir(exist_ok=True)
versions = {}
for version, extra in zip(rest[::2], rest[1::2]):
    manifest = {"name": name, "version": version, **json.loads(extra)}
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as tar:
        for path, text in (("package/package.json", json.dumps(manifest)), ("package/index.js", "")):
            entry = tarfile.TarInfo(path)
            entry.size = len(text)
            tar.addfile(entry, io.BytesIO(text.encode()))
    file = f"{name.replace('/', '-')}-{version}.tgz"
    (folder / "tgz" / file).write_bytes(buffer.getvalue())
    digest = base64.b64encode(hashlib.sha512(buffer.getvalue()).digest()).decode()
    dist = {"tarball": f"{http}/tgz/{file}", "integrity": f"sha512-{digest}", "shasum": hashlib.sha1(buffer.getvalue()).hexdigest()}
    versions[version] = {**manifest, "dist": {**dist, **json.loads(override)}}
document = {"name": name, "dist-tags": {"latest": list(versions)[-1]}, "versions": versions, "time": {each: "2020-01-01T00:00:00.000Z" for each in versions}}
(folder / name).parent.mkdir(exist_ok=True)
(folder / name).write_text(json.dumps(document))
PYTHON
}

project() { # NAME MANIFEST-JSON
  rm -rf "$RECORD_WORLD/$1" && mkdir "$RECORD_WORLD/$1" && cd "$RECORD_WORLD/$1" && printf '%s\n' "$2" >package.json
}

usual_packages() {
  registry good '{}' 1.0.0 '{}' 1.1.0 '{}'
  registry wants-two '{}' 1.0.0 '{"peerDependencies": {"good": "^2.0.0"}}'
  registry asks-missing '{}' 1.0.0 '{"dependencies": {"no-such-package-at-all": "^1.0.0"}}'
  registry future-node '{}' 1.0.0 '{"engines": {"node": ">=99"}}'
  registry mac-only '{}' 1.0.0 '{"os": ["darwin"]}'
  registry tampered '{"integrity": "sha512-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=="}' 1.0.0 '{}'
  registry lost-archive "{\"tarball\": \"$HTTP/404/lost.tgz\"}" 1.0.0 '{}'
  registry scripted '{}' 1.0.0 '{"scripts": {"postinstall": "exit 3"}}'
}
