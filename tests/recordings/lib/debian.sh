# Debian packages of our own and a system below $root to put them into.

deb() { # NAME VERSION FIELDS…
  local name=$1 number=$2
  shift 2
  mkdir -p build/DEBIAN "$debs"
  {
    printf 'Package: %s\nVersion: %s\nArchitecture: %s\nMaintainer: World <world@example.com>\nDescription: for a test\n' "$name" "$number" "${arch:-all}"
    [ $# = 0 ] || printf '%s\n' "$@"
  } >build/DEBIAN/control
  chmod -R go-w build
  dpkg-deb --root-owner-group -b build "$debs/${name}_$number.deb" >/dev/null
  rm -rf build
}

script() { # NAME SHELL-CODE
  mkdir -p build/DEBIAN
  printf '#!/bin/sh\n%s\n' "$2" >"build/DEBIAN/$1"
  chmod 755 "build/DEBIAN/$1"
}

apt_folders() {
  mkdir -p "$root"/etc/apt/{sources.list.d,preferences.d,apt.conf.d,trusted.gpg.d,auth.conf.d} \
    "$root"/var/lib/apt/lists/partial "$root"/var/cache/apt/archives/partial "$root"/var/log/apt \
    "$root"/var/lib/dpkg/{info,updates,triggers}
  : >"$root/var/lib/dpkg/status"
  : >"$root/var/lib/dpkg/available"
}

apt_settings() {
  cat >apt.conf <<CONF
Dir::Etc "$root/etc/apt";
Dir::State "$root/var/lib/apt";
Dir::State::status "$root/var/lib/dpkg/status";
Dir::Cache "$root/var/cache/apt";
Dir::Log "$root/var/log/apt";
DPkg::Options { "--admindir=$root/var/lib/dpkg"; "--instdir=$root"; "--force-script-chrootless"; "--force-not-root"; "--log=$root/var/log/dpkg.log"; };
DPkg::Pre-Install-Pkgs { };
#clear DPkg::Pre-Install-Pkgs;
#clear DPkg::Post-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
APT::Architecture "amd64";
APT::Sandbox::User "root";
Acquire::Retries "0";
CONF
  export APT_CONFIG=$PWD/apt.conf
}

hold_locks() { # FILES…
  "$RECORD_PYTHON" - "$@" <<'PYTHON' &
import fcntl, sys, time
kept = [open(name, "w") for name in sys.argv[1:]]
for each in kept:
    fcntl.lockf(each, fcntl.LOCK_EX)
time.sleep(20)
PYTHON
  locker=$!
}
