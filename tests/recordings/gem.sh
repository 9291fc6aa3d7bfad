needs gem setpriv
version "RubyGems $(gem --version)"
http_server
export GEM_HOME=$PWD/gems
mkdir index && (cd index && mkdir gems)
# A gem of our own, and an index of it
mkdir -p hello/lib needy native/ext
echo 'module Hello; end' >hello/lib/hello.rb
spec() { printf 'Gem::Specification.new { |s| s.name = "%s"; s.version = "%s"; s.summary = "x"; s.authors = ["x"]; s.license = "MIT"; s.homepage = "https://example.com"; s.description = "y"; %s }\n' "$1" "$2" "$3"; }
spec hello 1.0 's.files = ["lib/hello.rb"]' >hello/hello.gemspec
spec needy 1.0 's.add_dependency "no-such-dependency", "~> 2"' >needy/needy.gemspec
spec needs-hello 1.0 's.add_dependency "hello"' >needy/needs-hello.gemspec
spec fussy 1.0 's.required_ruby_version = ">= 99"' >needy/fussy.gemspec
spec native 1.0 's.extensions = ["ext/extconf.rb"]; s.files = ["ext/extconf.rb"]' >native/native.gemspec
echo 'abort "libfoo is missing, please install libfoo-dev"' >native/ext/extconf.rb
for each in hello/hello needy/needy needy/fussy needy/needs-hello native/native; do (cd "${each%/*}" && gem build -q "${each#*/}.gemspec" >/dev/null 2>&1 && mv ./*.gem ../index/gems/); done
(cd index && gem generate_index -q -d . >/dev/null 2>&1)
cp -r index "$RECORD_WORLD/../http/root/index"; chmod -R a+rX "$RECORD_WORLD/.."
source="$HTTP/index"
printf -- "---\n:sources:\n- %s/\n" "$source" >"$HOME/.gemrc"

record gem install hello
record gem list
record gem list -e no-such-gem
record gem install no-such-gem
record gem install hello -v 9.9
record gem install needy
record gem install fussy
record gem install native
record gem install ./nope.gem
echo text >bad.gem
record gem install ./bad.gem
record gem uninstall no-such-gem
record gem uninstall -x hello
record gem info no-such-gem
record gem specification no-such-gem
record gem contents no-such-gem
record gem which no_such_library
record gem fetch no-such-gem
record gem frobnicate
record gem isntall hello
record gem install --frobnicate hello
record gem install
record gem build
record gem build nope.gemspec
echo 'Gem::Specification.new { |s| s.name = ' >broken.gemspec
record gem build broken.gemspec
spec incomplete '' '' >incomplete.gemspec
echo 'Gem::Specification.new { |s| s.name = "incomplete" }' >incomplete.gemspec
record gem build incomplete.gemspec
record gem push index/gems/hello-1.0.gem
record gem owner hello
record gem yank hello -v 1.0
record gem install hello --clear-sources --source "http://$CLOSED/"
record gem install hello --clear-sources --source http://no-such-host.invalid/
record gem install hello --clear-sources --source "$HTTPS/"
for status in 401 403 404 429 500 503; do record gem install hello --clear-sources --source "$HTTP/$status/"; done
record gem outdated
record gem sources --add "http://$CLOSED/"
record gem sources --add notaurl
record gem env gemdir
record gem help frobnicate
record gem search -e no-such-gem
mkdir key; printf -- '---\n:rubygems_api_key: wrong\n' >"$HOME/.gem-credentials"
mkdir -p "$HOME/.gem"; mv "$HOME/.gem-credentials" "$HOME/.gem/credentials"; chmod 600 "$HOME/.gem/credentials"
export RUBYGEMS_HOST=$HTTP/401
record gem push index/gems/hello-1.0.gem
export RUBYGEMS_HOST=$HTTP/403
record gem push index/gems/hello-1.0.gem
export RUBYGEMS_HOST=$HTTP/409
record gem push index/gems/hello-1.0.gem
unset RUBYGEMS_HOST
gem install -q hello needs-hello >/dev/null 2>&1
record gem uninstall hello
record gem uninstall -x json
chmod 755 "$RECORD_WORLD/.." 
chmod -R a+rX "$RECORD_WORLD/.."
as_nobody gem install hello --install-dir "$PWD/gems"
as_nobody gem uninstall -x hello --install-dir "$PWD/gems"
record gem cleanup --dryrun
record gem fetch hello --clear-sources --source "$HTTPS/"
record gem fetch hello --clear-sources --source http://no-such-host.invalid/
record gem fetch hello
