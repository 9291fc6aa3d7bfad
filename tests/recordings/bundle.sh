needs bundle gem setpriv
version "Bundler $(bundle --version | sed 's/Bundler version //')"
http_server
export GEM_HOME=$PWD/gems BUNDLE_JOBS=1 BUNDLE_RETRY=0 BUNDLE_SILENCE_ROOT_WARNING=1
mkdir -p index/gems work
spec() { printf 'Gem::Specification.new { |s| s.name = "%s"; s.version = "%s"; s.summary = "x"; s.authors = ["x"]; s.license = "MIT"; s.homepage = "https://example.com"; s.description = "y"; %s }\n' "$1" "$2" "$3"; }
make_gem() { (cd work && spec "$@" >a.gemspec && mkdir -p ext && echo 'abort "libfoo is missing, please install libfoo-dev"' >ext/extconf.rb && gem build -q a.gemspec >/dev/null 2>&1; mv ./*.gem ../index/gems/); }
make_gem hello 1.0
make_gem hello 2.0
make_gem needs-old 1.0 's.add_dependency "hello", "< 1.5"'
make_gem needs-new 1.0 's.add_dependency "hello", ">= 2"'
make_gem needy 1.0 's.add_dependency "no-such-dependency"'
make_gem fussy 1.0 's.required_ruby_version = ">= 99"'
make_gem native 1.0 's.extensions = ["ext/extconf.rb"]; s.files = ["ext/extconf.rb"]'
(cd index && gem generate_index -q -d . >/dev/null 2>&1)
cp -r index "$RECORD_WORLD/../http/root/index"; chmod -R a+rX "$RECORD_WORLD/.."
gemfile() { rm -f Gemfile.lock; printf 'source "%s"\n' "${from:-$HTTP/index}" >Gemfile; printf '%s\n' "$@" >>Gemfile; }

record bundle install
gemfile 'gem "hello"'
record bundle check
record bundle exec true
record bundle install
record bundle check
record bundle list
record bundle show no-such-gem
record bundle info no-such-gem
record bundle update no-such-gem
record bundle exec no-such-program-x
record bundle exec ruby -e 'exit 3'
record bundle exec
record bundle frobnicate
record bundle install --frobnicate
record bundle instal
record bundle config set --local frozen true
gemfile 'gem "hello"' 'gem "needs-new"'
record bundle install
bundle config unset --local frozen >/dev/null
gemfile 'gem "hello"'; bundle lock >/dev/null 2>&1
echo 'gem "needs-new"' >>Gemfile
BUNDLE_FROZEN=true record bundle install
gemfile 'gem "no-such-gem"'
record bundle install
gemfile 'gem "hello", "9.9"'
record bundle install
gemfile 'gem "needs-old"' 'gem "needs-new"'
record bundle install
gemfile 'gem "needy"'
record bundle install
gemfile 'gem "fussy"'
record bundle install
gemfile 'gem "hello"' 'gem "native"'
record bundle install
gemfile 'ruby "99.0"' 'gem "hello"'
record bundle install
gemfile 'gem "hello'
record bundle install
gemfile 'gem "hello", frob: true'
record bundle install
gemfile 'gem "hello", path: "no/such"'
record bundle install
gemfile 'gem "hello", git: "http://127.0.0.1:'"${CLOSED##*:}"'/x.git"'
record bundle install
from=http://$CLOSED/ gemfile 'gem "hello"'
record bundle install
from=http://no-such-host.invalid/ gemfile 'gem "hello"'
record bundle install
from=$HTTPS/ gemfile 'gem "hello"'
record bundle install
for status in 401 403 404 429 500; do
  from=$HTTP/$status/ gemfile 'gem "hello"'
  record bundle install
done
gemfile 'gem "hello"'; bundle install >/dev/null 2>&1
echo '<<<<<<< HEAD' >>Gemfile.lock
record bundle install
gemfile 'gem "hello"'; bundle lock >/dev/null 2>&1
sed -i 's/^   [0-9.]*$/   99.0.0/' Gemfile.lock
record bundle install
record bundle init
record bundle outdated
sed -i 's/hello (2.0)/hello (1.0)/' Gemfile.lock; bundle install >/dev/null 2>&1
record bundle outdated
record bundle add no-such-gem
record bundle remove no-such-gem
record bundle open hello
gemfile 'gem "hello"'
chmod -R a+rX "$RECORD_WORLD/.."
BUNDLE_PATH=$PWD/gems/deny as_nobody bundle install
