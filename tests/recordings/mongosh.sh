# There is no MongoDB server to be had from the package registries; the answers of a server come from a stand-in
# that speaks its wire protocol.
needs mongosh
version "mongosh $(mongosh --version)"
fixed "$(readlink -f "$(command -v mongosh)" | sed 's|/node_modules/.*||')" /usr/lib
port=$(free_port) closed=$(free_port)
fixed "127.0.0.1:$port" 127.0.0.1:27018 && fixed "127.0.0.1:$closed" 127.0.0.1:27019 && fixed "localhost:$closed" localhost:27019
echo 'db.nosuch(' >bad.js

record mongosh --nodb --eval '1 + 1' --quiet
record mongosh --nodb --eval '1 +' --quiet
record mongosh --nodb --eval 'nosuch()' --quiet
record mongosh --nodb --quiet bad.js
record mongosh --nodb --quiet nofile.js
record mongosh --nodb --eval 'quit(7)' --quiet
record mongosh --nodb --eval 'db.t.find()' --quiet
record mongosh --nosuch
record mongosh "mongodb://127.0.0.1:$closed" --eval 1
record mongosh "mongodb://127.0.0.1:$closed/?replicaSet=rs&serverSelectionTimeoutMS=800" --eval 1
record mongosh 'mongodb://no-such-host.invalid/' --eval 1
record mongosh 'mongodb+srv://no-such-host.invalid/' --eval 1
record mongosh 'mongodb://user:p@ss/word@127.0.0.1/' --eval 1
record mongosh 'mongodb://127.0.0.1/?nosuch=1' --eval 1
record mongosh 'mongo://127.0.0.1/' --eval 1
record mongosh 'mongodb://u:p%zz@127.0.0.1/' --eval 1
record mongosh 'mongodb://127.0.0.1/?authMechanism=PLAIN' --eval 1
record mongosh --port abc --eval 1
record mongosh --tls --tlsCAFile nofile.pem "mongodb://127.0.0.1:$closed" --eval 1
http_server
record mongosh "mongodb://${HTTP#http://}/?serverSelectionTimeoutMS=800" --eval 1
record mongosh "mongodb://$HANGUP/?serverSelectionTimeoutMS=800" --eval 1
record mongosh "mongodb://$SILENT/?serverSelectionTimeoutMS=800&connectTimeoutMS=500" --eval 1
record mongosh --tls "mongodb://${HTTPS#https://}/?serverSelectionTimeoutMS=800" --eval 1

version "mongosh $(mongosh --version) (simulated server)"
"$RECORD_PYTHON" - "$port" <<'PYTHON' &
import socket, struct, sys, threading, time
ERRORS = {
    "saslStart": (18, "AuthenticationFailed", "Authentication failed."),
    "secret": (13, "Unauthorized", "not authorized on test to execute command { find: \"secret\" }"),
    "anonymous": (13, "Unauthorized", "command find requires authentication"),
    "slow": (50, "MaxTimeMSExpired", "operation exceeded time limit"),
    "stepdown": (10107, "NotWritablePrimary", "not primary"),
    "quota": (8000, "AtlasError", "you are over your space quota, using 513 MB of 512 MB"),
    "nosuchcommand": (59, "CommandNotFound", "no such command: 'nosuchcommand'"),
    "busy": (112, "WriteConflict", "Caused by :: Write conflict during plan execution and yielding is disabled. :: Please retry your operation or multi-document transaction."),
    "create": (48, "NamespaceExists", "Collection test.t already exists."),
    "drop": (26, "NamespaceNotFound", "ns not found"),
    "aggregate": (40324, "Location40324", "Unrecognized pipeline stage name: '$nosuch'"),
}
def enc(doc):
    out = b""
    for key, value in doc.items():
        name = key.encode() + b"\0"
        if isinstance(value, bool): out += b"\x08" + name + bytes([value])
        elif isinstance(value, float): out += b"\x01" + name + struct.pack("<d", value)
        elif key == "id": out += b"\x12" + name + struct.pack("<q", value)
        elif isinstance(value, int): out += b"\x10" + name + struct.pack("<i", value)
        elif isinstance(value, str): out += b"\x02" + name + struct.pack("<i", len(value.encode()) + 1) + value.encode() + b"\0"
        elif isinstance(value, list): out += b"\x04" + name + enc({str(i): v for i, v in enumerate(value)})
        elif isinstance(value, dict): out += b"\x03" + name + enc(value)
    return struct.pack("<i", len(out) + 5) + out + b"\0"
def first(raw):
    """Name and text value of a document's first element: the command and its collection."""
    end = raw.index(b"\0", 5)
    name, text = raw[5:end].decode(), ""
    if raw[4] == 2:
        size = struct.unpack_from("<i", raw, end + 1)[0]
        text = raw[end + 5 : end + 4 + size].decode()
    return name, text
def answer(raw):
    name, text = first(raw)
    if name.lower() in ("hello", "ismaster"):
        return {"ismaster": True, "isWritablePrimary": True, "maxBsonObjectSize": 16777216, "maxMessageSizeBytes": 48000000,
                "maxWriteBatchSize": 100000, "minWireVersion": 0, "maxWireVersion": 21, "ok": 1.0}
    if name == "insert":
        done = 1 if text == "some" else 0
        return {"n": done, "writeErrors": [{"index": done, "code": 11000, "errmsg": "E11000 duplicate key error collection: test.t index: _id_ dup key: { _id: 1 }"}], "ok": 1.0}
    if name == "find" and text == "rows":
        return {"cursor": {"id": 0, "ns": "test.rows", "firstBatch": [{"_id": 1, "note": "connection refused"}]}, "ok": 1.0}
    for key in (text, name):
        if key in ERRORS:
            code, code_name, message = ERRORS[key]
            return {"ok": 0.0, "errmsg": message, "code": code, "codeName": code_name}
    return {"ok": 1.0}
def serve(peer):
    while True:
        head = peer.recv(16, socket.MSG_WAITALL)
        if len(head) < 16: return
        size, request, _, code = struct.unpack("<iiii", head)
        body = peer.recv(size - 16, socket.MSG_WAITALL)
        if code == 2004:
            raw = body[body.index(b"\0", 4) + 9 :]
            reply = struct.pack("<iqii", 8, 0, 0, 1) + enc(answer(raw))
            peer.sendall(struct.pack("<iiii", len(reply) + 16, 1, request, 1) + reply)
        else:
            reply = struct.pack("<i", 0) + b"\0" + enc(answer(body[5:]))
            peer.sendall(struct.pack("<iiii", len(reply) + 16, 1, request, 2013) + reply)
server = socket.create_server(("127.0.0.1", int(sys.argv[1])))
while True:
    threading.Thread(target=serve, args=(server.accept()[0],), daemon=True).start()
PYTHON
wait_for "$port"
at="mongodb://127.0.0.1:$port/test"
record mongosh "$at" --quiet --eval 'db.rows.find()'
record mongosh "$at" --quiet --json=relaxed --eval 'db.rows.find().toArray()'
record mongosh "mongodb://u:wrong@127.0.0.1:$port/test?authMechanism=PLAIN&authSource=%24external" --quiet --eval 'db.t.find()'
record mongosh "$at" --quiet --eval 'db.secret.find()'
record mongosh "$at" --quiet --eval 'db.anonymous.find()'
record mongosh "$at" --quiet --eval 'db.slow.find()'
record mongosh "$at" --quiet --eval 'db.stepdown.find()'
record mongosh "$at" --quiet --eval 'db.quota.find()'
record mongosh "$at" --quiet --eval 'db.t.insertOne({_id: 1})'
record mongosh "$at" --quiet --json=relaxed --eval 'db.some.insertMany([{_id: 1}, {_id: 1}])'
record mongosh "$at" --quiet --eval 'db.t.insertMany([{_id: 1}, {_id: 2}])'
record mongosh "$at" --quiet --eval 'db.busy.find()'
record mongosh "$at" --quiet --eval 'db.t.nosuch()'
record mongosh "$at" --quiet --eval 'db.runCommand({nosuchcommand: 1})'
record mongosh "$at" --quiet --eval 'db.createCollection("t")'
record mongosh "$at" --quiet --eval 'db.t.aggregate([{$nosuch: 1}])'
record mongosh "$at" --quiet --json=relaxed --eval 'db.secret.find().toArray()'
