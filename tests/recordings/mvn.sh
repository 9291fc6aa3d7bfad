needs mvn javac
version "Apache Maven $(mvn --version | sed -n 's/.*Maven \([0-9.]*\).*/\1/p' | head -1)"
http_server
unset MAVEN_ARGS
export MAVEN_OPTS="-Duser.home=$HOME" # Java looks into the password file for it, and must not write there
# Maven can build nothing without plugins: those that this machine has downloaded before serve as the remote repository.
plugins=$(getent passwd "$(id -u)" | cut -d: -f6)/.m2/repository
[ -d "$plugins/org/apache/maven/plugins" ] || plugins=/usr/share/maven-repo
fixed "$plugins" /srv/maven
settings() { # FILE URL
  printf '<settings><localRepository>%s/m2</localRepository><mirrors><mirror><id>world</id><mirrorOf>*</mirrorOf><url>%s</url></mirror></mirrors></settings>\n' "$RECORD_WORLD" "$2" >"$1"
}
mkdir -p "$HOME/.m2" && settings "$HOME/.m2/settings.xml" "file://$plugins"

project() { # NAME POM-PART PLUGINS
  mkdir -p "$RECORD_WORLD/$1/src/main/java" && cd "$RECORD_WORLD/$1" || exit
  printf '<project><modelVersion>4.0.0</modelVersion><groupId>world</groupId><artifactId>%s</artifactId><version>1.0</version><properties><maven.compiler.source>8</maven.compiler.source><maven.compiler.target>8</maven.compiler.target><project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>\n%s\n<build><pluginManagement><plugins>' "$1" "$2" >pom.xml
  for plugin in resources:3.3.1 compiler:3.13.0 surefire:3.2.5 jar:3.4.1 install:3.1.2 deploy:3.1.2 enforcer:3.5.0; do
    printf '<plugin><artifactId>maven-%s-plugin</artifactId><version>%s</version></plugin>' "${plugin%:*}" "${plugin#*:}" >>pom.xml
  done
  printf '</plugins></pluginManagement><plugins>%s</plugins></build></project>\n' "$3" >>pom.xml
}
dependency() { printf '<dependencies><dependency><groupId>%s</groupId><artifactId>%s</artifactId><version>%s</version></dependency></dependencies>' "$@"; }

mkdir empty && cd empty || exit
record mvn -B compile
record mvn -B
record mvn -B --frobnicate
record mvn -B -f nope.xml compile
record mvn -B -s nope.xml validate
project good
echo 'class A { }' >src/main/java/A.java
record mvn -B frobnicate
record mvn -B compil
record mvn -B nope:goal
record mvn -B compiler:frobnicate
record mvn -B -q compile
record mvn -B package
record mvn -B -Pnope validate
record mvn -B -pl nope validate
record mvn -B -T many validate
echo 'class A { int x = "no"; }' >src/main/java/A.java
record mvn -B compile
record mvn -B -q compile
record env JAVA_HOME=/nowhere mvn -B compile
project absent "$(dependency nope nope 1.0)"
record mvn -B compile
record mvn -B -o compile
for status in 401 403 404 500 503; do
  settings "s$status.xml" "$HTTP/$status"
  record mvn -B -U -s "s$status.xml" compile
done
project unreachable "$(dependency nope far 1.0)"
settings closed.xml "http://$CLOSED"
record mvn -B -s closed.xml compile
project nohost "$(dependency nope host 1.0)"
settings nohost.xml http://repo.invalid
record mvn -B -s nohost.xml compile
project tls "$(dependency nope tls 1.0)"
settings tls.xml "$HTTPS"
record mvn -B -s tls.xml compile
project silent "$(dependency nope silent 1.0)"
settings silent.xml "http://$SILENT"
record mvn -B -s silent.xml -Dmaven.wagon.rto=2000 -Dmaven.wagon.http.readTimeout=2000 -Daether.connector.requestTimeout=2000 compile
project blocked "<repositories><repository><id>plain</id><url>http://repo.invalid/</url></repository></repositories>$(dependency nope blocked 1.0)"
settings default.xml "file://$plugins" && sed -i 's/<mirrorOf>[*]/<mirrorOf>central/' default.xml
record mvn -B -s default.xml compile
project broken
echo '<project>' >pom.xml
record mvn -B validate
project invalid '<packaging>nope</packaging>'
record mvn -B compile
project noversion '<dependencies><dependency><groupId>a</groupId><artifactId>b</artifactId></dependency></dependencies>'
record mvn -B validate
project noparent
sed -i 's|</modelVersion>|&<parent><groupId>nope</groupId><artifactId>nope</artifactId><version>1</version></parent>|' pom.xml
record mvn -B validate
project release '' '<plugin><artifactId>maven-compiler-plugin</artifactId><configuration><source>99</source><target>99</target></configuration></plugin>'
echo 'class A { }' >src/main/java/A.java
record mvn -B compile
project deploy
echo 'class A { }' >src/main/java/A.java
record mvn -B -q deploy
for status in 400 401 403 409 503; do
  record mvn -B -q deploy -DaltDeploymentRepository="world::default::$HTTP/$status"
done
project modules '<packaging>pom</packaging><modules><module>one</module><module>two</module><module>three</module></modules>'
for name in one two three; do
  mkdir -p "$name/src/main/java"
  printf '<project><modelVersion>4.0.0</modelVersion><parent><groupId>world</groupId><artifactId>modules</artifactId><version>1.0</version></parent><artifactId>%s</artifactId></project>\n' "$name" >"$name/pom.xml"
done
echo 'class A { int x = "no"; }' >two/src/main/java/A.java
record mvn -B compile
rm -r three
record mvn -B compile
project tests "$(dependency org.junit.jupiter junit-jupiter 5.10.2)"
mkdir -p src/test/java
printf 'import org.junit.jupiter.api.*;\npublic class ATest { @Test public void adds() { Assertions.assertEquals(3, 1 + 1); } @Test public void works() { } }\n' >src/test/java/ATest.java
record mvn -B test
record mvn -B -q test
record mvn -B -Dtest=NopeTest test
record mvn -B -DskipTests package
printf 'import org.junit.jupiter.api.*;\npublic class ATest { @Test public void ends() { System.exit(3); } }\n' >src/test/java/ATest.java
record mvn -B test
printf 'public class ATest { int x = "no"; }\n' >src/test/java/ATest.java
record mvn -B test
project full
echo 'class A { }' >src/main/java/A.java
mkdir target && mount -t tmpfs -o ro tmpfs target && { record mvn -B compile; umount target; }
project enforced '' '<plugin><artifactId>maven-enforcer-plugin</artifactId><executions><execution><goals><goal>enforce</goal></goals><configuration><rules><requireJavaVersion><version>[99,)</version></requireJavaVersion></rules></configuration></execution></executions></plugin>'
record mvn -B validate
record mvn --version
