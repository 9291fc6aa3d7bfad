needs gradle javac
version "Gradle $(gradle --version 2>/dev/null | sed -n 's/^Gradle \([0-9.]*\).*/\1/p')"
http_server
export GRADLE_USER_HOME="$RECORD_WORLD/../gradle-home" GRADLE_OPTS="-Duser.home=$HOME -Dorg.gradle.daemon=false"
project() { mkdir -p "$RECORD_WORLD/$1/src/main/java" && cd "$RECORD_WORLD/$1" && echo "rootProject.name = '$1'" >settings.gradle || exit; }

mkdir empty && cd empty || exit
record gradle build
record gradle --frobnicate
record gradle -p nowhere build
record gradle -b nope.gradle build
project good
printf "apply plugin: 'java'\ntask hello { doLast { println 'hi' } }\ntask fails { doLast { throw new GradleException('it broke') } }\ntask crashes { doLast { throw new RuntimeException('oops') } }\ntask runs(type: Exec) { commandLine 'sh', '-c', 'exit 3' }\ntask absent(type: Exec) { commandLine 'nope-program' }\n" >build.gradle
echo 'class A { }' >src/main/java/A.java
record gradle hello
record gradle -q hello
record gradle helo
record gradle frobnicate
record gradle nope:hello
record gradle fails
record gradle crashes
record gradle runs
record gradle absent
record gradle compileJava
record gradle -x nope build
record gradle --offline compileJava
record gradle -q tasks
record gradle -PnoSuch hello --max-workers=many
echo 'class A { int x = "no"; }' >src/main/java/A.java
record gradle compileJava
record gradle --continue compileJava hello
record env JAVA_HOME=/nowhere gradle hello
project script
echo 'task hello {' >build.gradle
record gradle hello
echo 'nope.thing = 1' >build.gradle
record gradle hello
echo "apply plugin: 'no.such.plugin'" >build.gradle
record gradle hello
echo "plugins { id 'no.such.plugin' version '1.0' }" >build.gradle
record gradle --offline hello
record gradle hello
project cycle
printf 'task a(dependsOn: "b")\ntask b(dependsOn: "a")\n' >build.gradle
record gradle a
for status in 401 403 404 429 500 503; do
  project "http$status"
  printf "apply plugin: 'java'\nrepositories { maven { url '%s/%s' } }\ndependencies { compile 'nope:nope:1.0' }\n" "$HTTP" "$status" >build.gradle
  echo 'class A { }' >src/main/java/A.java
  record gradle compileJava
done
for address in "http://$CLOSED" "http://$HANGUP" http://repo.invalid "$HTTPS"; do
  number=$((number + 1))
  project "address$number"
  printf "apply plugin: 'java'\nrepositories { maven { url '%s' } }\ndependencies { compile 'nope:nope:1.0' }\n" "$address" >build.gradle
  echo 'class A { }' >src/main/java/A.java
  record gradle compileJava
done
project far
printf "apply plugin: 'java'\nrepositories { maven { url 'http://repo.invalid' } }\ndependencies { compile 'nope:nope:1.0' }\n" >build.gradle
echo 'class A { }' >src/main/java/A.java
record gradle --offline compileJava
project none
printf "apply plugin: 'java'\ndependencies { compile 'nope:nope:1.0' }\n" >build.gradle
echo 'class A { }' >src/main/java/A.java
record gradle compileJava
record gradle --offline compileJava
project conflict
mkdir -p repo/a/a/1 repo/a/a/2
for version in 1 2; do printf '<project><modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>a</artifactId><version>%s</version></project>' $version >repo/a/a/$version/a-$version.pom; : >repo/a/a/$version/a-$version.jar; done
printf "apply plugin: 'java'\nrepositories { maven { url 'repo' } }\nconfigurations.all { resolutionStrategy.failOnVersionConflict() }\ndependencies { compile 'a:a:1'; compile 'a:a:2' }\n" >build.gradle
echo 'class A { }' >src/main/java/A.java
record gradle compileJava
project tests
mkdir -p src/test/java
junit=/usr/share/java/junit4.jar
if [ -e "$junit" ]; then
  printf "apply plugin: 'java'\ndependencies { testCompile files('%s', '/usr/share/java/hamcrest-core.jar', '/usr/share/java/hamcrest.jar') }\n" "$junit" >build.gradle
  printf 'import org.junit.*;\npublic class ATest { @Test public void adds() { Assert.assertEquals(3, 1 + 1); } @Test public void works() { } }\n' >src/test/java/ATest.java
  record gradle test
  record gradle test --tests NopeTest
fi
project readonly
printf "apply plugin: 'java'\n" >build.gradle
echo 'class A { }' >src/main/java/A.java
mkdir build && mount -t tmpfs -o ro tmpfs build && { record gradle compileJava; umount build; }
project invalid
printf "apply plugin: 'java'\nsourceCompatibility = 99\n" >build.gradle
echo 'class A { }' >src/main/java/A.java
record gradle compileJava
project memory
printf "task eats { doLast { def all = []; while (true) all << new byte[10000000] } }\ntask odd { doLast { } }\nif (hasProperty('stop')) throw new IllegalStateException('Something strange happened')\n" >build.gradle
GRADLE_OPTS="$GRADLE_OPTS -Xmx96m" record gradle eats
record gradle odd -Pstop
record gradle --version
