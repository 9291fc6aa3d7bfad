needs composer php setpriv
version "Composer $(composer --version 2>/dev/null | sed -n 's/^Composer version \([0-9.]*\).*/\1/p')"
http_server
export COMPOSER_ALLOW_SUPERUSER=1 COMPOSER_HOME=$PWD/home/composer COMPOSER_CACHE_DIR=$PWD/cache
mkdir -p packages/{hello1,hello2,old,new,fussy}
pack() { printf '{"name": "world/%s", "version": "%s"%s}' "$2" "$3" "${4:+, $4}" >"packages/$1/composer.json"; }
pack hello1 hello 1.0.0
pack hello2 hello 2.0.0
pack old needs-old 1.0.0 '"require": {"world/hello": "^1"}'
pack new needs-new 1.0.0 '"require": {"world/hello": "^2"}'
pack fussy fussy 1.0.0 '"require": {"php": ">=99", "ext-nosuch": "*"}'
project() { # REQUIREMENTS ; $repository replaces the local packages
  rm -rf composer.lock vendor
  printf '{"name": "world/app", "repositories": [%s, {"packagist.org": false}], "config": {"secure-http": false}, "require": {%s}%s}' \
    "${repository:-{\"type\": \"path\", \"url\": \"packages/*\"\}}" "$1" "${more:-}" >composer.json
}

record composer install
project '"world/hello": "^1"'
record composer install
record composer show
record composer show world/no-such
record composer validate
record composer outdated
record composer check-platform-reqs
record composer require world/no-such
record composer remove world/no-such
record composer require world/hello:^9
record composer run-script no-such-script
record composer frobnicate
record composer isntall
record composer install --frobnicate
record composer require
record composer why world/no-such
project '"world/no-such": "*"'
record composer install
project '"world/needs-old": "*", "world/needs-new": "*"'
record composer install
project '"world/fussy": "*"'
record composer install
project '"ext-nosuch": "*"'
record composer install
echo '{ bad' >composer.json
record composer install
record composer validate
echo '{"name": "No Vendor"}' >composer.json
record composer validate
project '"world/hello": "^1"'; composer install -q
sed -i 's/\^1/^2/' composer.json
record composer install
record composer update world/no-such
more=', "scripts": {"test": "exit 3", "offline": "curl -sS http://'$CLOSED'/"}' project '"world/hello": "^1"'
record composer run-script test
record composer run-script offline
repository='{"type": "composer", "url": "http://'$CLOSED'/"}' project '"world/hello": "^1"'
record composer install
repository='{"type": "composer", "url": "http://no-such-host.invalid/"}' project '"world/hello": "^1"'
record composer install
repository='{"type": "composer", "url": "'$HTTPS'/"}' project '"world/hello": "^1"'
record composer install
for status in 401 403 404 429 500; do
  repository='{"type": "composer", "url": "'$HTTP/$status'/"}' project '"world/hello": "^1"'
  record composer install
done
record composer create-project world/no-such target
mkdir full; touch full/x
record composer create-project world/hello full
record composer init
record composer config no.such.key
record composer global show
project '"world/hello": "^1"'
chmod -R a+rX "$RECORD_WORLD/.."
as_nobody composer install
