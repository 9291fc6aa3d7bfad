needs ruby
version "ruby $(ruby -e 'print RUBY_VERSION')"
http_server
closed=${CLOSED##*:}
fixed "'127.0.0.1', $closed" "'127.0.0.1', 9"
fixed "port $closed" "port 9"
fixed "(127.0.0.1:$closed" "(127.0.0.1:9"

say ok.rb 'puts "ok"'
record ruby ok.rb
record ruby nope.rb
say require.rb 'require "no_such_library"'
record ruby require.rb
say relative.rb 'require_relative "lib/missing"'
record ruby relative.rb
say gem.rb 'gem "no_such_gem"'
record ruby gem.rb
say syntax.rb 'def f( { end'
record ruby syntax.rb
record ruby -c syntax.rb
record ruby -c ok.rb
record ruby -e 'puts "a'
say file.rb 'File.read("/no/such/data.csv")'
record ruby file.rb
say exists.rb 'Dir.mkdir("made"); Dir.mkdir("made")'
record ruby exists.rb
say refused.rb "require 'socket'; TCPSocket.new('127.0.0.1', $closed)"
record ruby refused.rb
say nethttp.rb "require 'net/http'; Net::HTTP.get(URI('http://127.0.0.1:$closed/'))"
record ruby nethttp.rb
for status in 401 403 404 429 503; do
  say "http$status.rb" "require 'open-uri'; URI.open('$HTTP/$status')"
  record ruby "http$status.rb"
done
say tls.rb "require 'open-uri'; URI.open('$HTTPS/')"
record ruby tls.rb
say host.rb "require 'open-uri'; URI.open('http://no-such-host.invalid/')"
record ruby host.rb
say slow.rb "require 'open-uri'; URI.open('http://$SILENT/', read_timeout: 0.3)"
record ruby slow.rb
say timeout.rb 'require "timeout"; Timeout.timeout(0.1) { sleep 1 }'
record ruby timeout.rb
say port.rb "require 'socket'; a = TCPServer.new('127.0.0.1', 0); TCPServer.new('127.0.0.1', a.addr[1])"
record ruby port.rb
say zero.rb '1 / 0'
record ruby zero.rb
say nomethod.rb 'nil.missing_file'
record ruby nomethod.rb
say name.rb 'undefined_thing'
record ruby name.rb
say constant.rb 'NoSuchConstant'
record ruby constant.rb
say key.rb '{}.fetch("not found")'
record ruby key.rb
say setting.rb 'ENV.fetch("DATABASE_URL")'
record ruby setting.rb
say argument.rb 'Integer("abc")'
record ruby argument.rb
say count.rb 'def f(a); end; f'
record ruby count.rb
say json.rb 'require "json"; JSON.parse("{ bad")'
record ruby json.rb
say raise.rb 'raise "something is odd"'
record ruby raise.rb
say chain.rb 'begin; File.read("/no/such"); rescue => e; raise "could not start"; end'
record ruby chain.rb
say exit1.rb 'exit 1'
record ruby exit1.rb
say abort.rb 'abort "config.yml: file not found"'
record ruby abort.rb
say recursion.rb 'def f; f; end; f'
record ruby recursion.rb
say spawn.rb 'IO.popen("no-such-program-x")'
record ruby spawn.rb
say system.rb 'system("no-such-program-x", exception: true)'
record ruby system.rb
say frozen.rb '"a".freeze << "permission denied"'
record ruby frozen.rb
say input.rb 'gets.chomp'
record ruby input.rb
say options.rb 'require "optparse"; OptionParser.new { |o| o.on("--n N", Integer) }.parse!'
record ruby options.rb --frob
record ruby options.rb --n x
say log.rb 'warn "ERROR: connection refused, going on"; nil.size_of_it'
record ruby log.rb
say test_a.rb 'require "minitest/autorun"
class T < Minitest::Test
  def test_a = assert_equal(1, 2)
  def test_b = assert(true)
end'
record ruby test_a.rb
say test_u.rb 'require "test/unit"
class U < Test::Unit::TestCase
  def test_a; assert_equal(1, 2); end
end'
record ruby test_u.rb
record ruby --frobnicate ok.rb
record ruby -Z ok.rb
record ruby -S no-such-script
record ruby --version
say permission.rb 'File.write("/proc/sys/kernel/version", "x")'
record ruby permission.rb
