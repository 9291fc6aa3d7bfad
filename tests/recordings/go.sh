needs go git
export GOPATH="$RECORD_WORLD/home/go" GOCACHE="$RECORD_WORLD/../gocache" GOMODCACHE="$RECORD_WORLD/../gomod" GOFLAGS= GONOSUMDB='*' GONOSUMCHECK=1 GOSUMDB=off GOTOOLCHAIN=local
version "go $(go version | sed 's/go version go\([0-9.]*\).*/\1/')"
http_server
chmod 755 "$RECORD_WORLD/.." # for the workers of nginx
root="$RECORD_WORLD/../http/root"
# A module proxy with one module in one version.
mkdir -p "$root/proxy/example.org/alpha/@v" "$root/build/example.org/alpha@v1.0.0"
( cd "$root/build" && printf 'module example.org/alpha\n' >example.org/alpha@v1.0.0/go.mod && printf 'package alpha\n\nfunc F() int { return 1 }\n' >example.org/alpha@v1.0.0/alpha.go &&
  "$RECORD_PYTHON" -c 'import zipfile; z = zipfile.ZipFile("../proxy/example.org/alpha/@v/v1.0.0.zip", "w"); [z.write("example.org/alpha@v1.0.0/" + f) for f in ("go.mod", "alpha.go")]; z.close()' )
printf 'module example.org/alpha\n' >"$root/proxy/example.org/alpha/@v/v1.0.0.mod"
printf '{"Version":"v1.0.0","Time":"2020-01-01T00:00:00Z"}' >"$root/proxy/example.org/alpha/@v/v1.0.0.info"
echo v1.0.0 >"$root/proxy/example.org/alpha/@v/list"
export GOPROXY="$HTTP/proxy"

project() { # NAME BODY
  cd "$RECORD_WORLD" && mkdir -p "$1" && cd "$1" || exit
  printf 'module example.com/demo\n\ngo 1.19\n' >go.mod
  printf '%s\n' "$2" >main.go
}
main='package main

func main() {}'

mkdir empty && cd empty || exit
record go build
record go build ./...
record go test ./...
record go run main.go
record go mod tidy
record go get example.org/alpha
project good "$main"
record go biuld
record go build -zzz
record go test -run
record go mod nope
record go build ./nope
record go build nope.go
record go run .
record go test ./...
record go list -m all
record go list ./nope
record go mod init again
record go get example.org/nope
record go get example.org/alpha@v9.9.9
record go get example.org/alpha
record go install example.org/nope/cmd@latest
record go install nope
record go tool nope
record go doc nope.Nope
record env GOOS=nope go build
record go env GOOS GOARCH
record go version
record go vet ./...
record go fmt ./...
record go build -o /proc/nope/x
project type 'package main

func main() { var x int = "a" }'
record go build
record go vet ./...
record go run .
printf 'package main\n\nimport "testing"\n\nfunc TestX(t *testing.T) { undefined() }\n' >main_test.go && echo "$main" >main.go
record go test ./...
record go vet ./...
project syntax 'package main

func main() { x := }'
record go build
record gofmt -l main.go
record go fmt
project unused 'package main

import "os"

func main() { y := 1 }'
record go build
project missing 'package main

import "example.org/alpha"

func main() { alpha.F() }'
record go build
record go test ./...
sed -i 's|org/alpha|org/nope|' main.go
record go mod tidy
project std 'package main

import "nopestd"

func main() { nopestd.F() }'
record go build
project vet 'package main

import "fmt"

func main() { fmt.Printf("%d\n", "x") }'
record go vet ./...
project panic 'package main

func main() { panic("boom") }'
record go run .
project exits 'package main

import "os"

func main() { os.Exit(3) }'
record go run .
project fails 'package main

func two() int { return 2 }

func main() {}'
printf 'package main\n\nimport "testing"\n\nfunc TestTwo(t *testing.T) {\n\tif two() != 3 {\n\t\tt.Fatalf("permission denied: %%d", two())\n\t}\n}\n\nfunc TestGood(t *testing.T) {}\n' >main_test.go
record go test
record go test ./...
record go test -run TestGood -v
record go test -json -run TestTwo
printf 'package main\n\nimport "testing"\n\nfunc TestPanics(t *testing.T) { panic("boom") }\n' >main_test.go
record go test
printf 'package main\n\nimport ("testing"; "time")\n\nfunc TestSlow(t *testing.T) { time.Sleep(time.Minute) }\n' >main_test.go
record go test -timeout 1s
printf 'package main\n\nimport ("testing"; "os")\n\nfunc TestMain(m *testing.M) { os.Exit(1) }\n' >main_test.go
record go test
mkdir bad && printf 'package bad\n\nvar x int = "a"\n' >bad/bad.go && printf 'package bad\n\nimport "testing"\n\nfunc TestB(t *testing.T) {}\n' >bad/bad_test.go
printf 'package main\n\nimport "testing"\n\nfunc TestGood(t *testing.T) {}\n' >main_test.go
record go test ./...
project manifest "$main"
echo 'modul x' >go.mod
record go build
printf 'module example.com/demo\n\ngo 1.99\n' >go.mod
record go build
printf 'module example.com/demo\n\ngo 1.19\n\nrequire example.org/alpha v9.0.0\n' >go.mod
record go build
printf 'module example.com/demo\n\ngo 1.19\n\nrequire example.org/alpha v1.0.0\n' >go.mod
printf 'package main\n\nimport "example.org/alpha"\n\nfunc main() { alpha.F() }\n' >main.go
record go build
printf 'example.org/alpha v1.0.0 h1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\nexample.org/alpha v1.0.0/go.mod h1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n' >go.sum
record go mod download
rm go.sum && mkdir vendor
record go build -mod=vendor
record go mod verify
rm -r vendor
for address in "http://$CLOSED" "$HTTP/401" "$HTTP/403" "$HTTP/429" "$HTTP/503" "$HTTPS" https://proxy.invalid off; do
  GOPROXY=$address record go get example.org/beta@v1.0.0
done
GOPROXY=direct record go get git.invalid/x/y@latest
cycle() { mkdir -p "$1" && printf 'package %s\n\nimport _ "example.com/demo/%s"\n' "$1" "$2" >"$1/$1.go"; }
project cycle "$main"
cycle a b && cycle b a
record go build ./...
project work "$main"
printf 'go 1.19\n\nuse ./nope\n' >go.work
record go build
project cgo 'package main

// #include <nope.h>
import "C"

func main() {}'
record go build
record env CGO_ENABLED=0 go build
record env CC=nopecc CGO_ENABLED=1 go build
project full "$main"
mkdir -p small && mount -t tmpfs -o size=64k tmpfs small && { record go build -o small/x; umount small; }
mount -t tmpfs -o ro tmpfs small && { record go build -o small/x; umount small; }
cd "$RECORD_WORLD/empty" || exit
record go install example.org/tool
project contradiction "$main"
mkdir -p "$root/proxy/example.org/beta/@v"
printf 'module example.org/beta\n\nrequire example.org/alpha v1.1.0\n' >"$root/proxy/example.org/beta/@v/v1.0.0.mod"
printf '{"Version":"v1.0.0","Time":"2020-01-01T00:00:00Z"}' >"$root/proxy/example.org/beta/@v/v1.0.0.info"
printf 'module example.org/alpha\n' >"$root/proxy/example.org/alpha/@v/v1.1.0.mod"
printf '{"Version":"v1.1.0","Time":"2020-01-01T00:00:00Z"}' >"$root/proxy/example.org/alpha/@v/v1.1.0.info"
( cd "$root/build" && mkdir -p example.org/beta@v1.0.0 && cp "$root/proxy/example.org/beta/@v/v1.0.0.mod" example.org/beta@v1.0.0/go.mod && echo 'package beta' >example.org/beta@v1.0.0/beta.go &&
  "$RECORD_PYTHON" -c 'import zipfile; z = zipfile.ZipFile("../proxy/example.org/beta/@v/v1.0.0.zip", "w"); [z.write("example.org/beta@v1.0.0/" + f) for f in ("go.mod", "beta.go")]; z.close()' )
record go get example.org/beta@v1.0.0 example.org/alpha@v1.0.0
project newer "$main"
printf 'module example.com/demo\n\ngo 1.99.0\n' >go.mod
record go build
