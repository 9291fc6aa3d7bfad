# A systemd of its own: process 1 of new namespaces, which sees only the units below.
needs systemctl unshare nsenter
[ "$(id -u)" = 0 ] && [ -x /lib/systemd/systemd ] || { echo "skipped: systemctl.sh needs root and systemd" >&2; exit 77; }
version "systemd $(systemctl --version | sed -n '1s/systemd \([0-9]*\).*/\1/p')"
[ -d /run/systemd/system ] || {
  record systemctl start nginx
  record systemctl status
  record systemctl is-active nginx
  record systemctl --user status
  record systemctl daemon-reload
}
SYSTEMD_OFFLINE=1 record systemctl start nginx
SYSTEMD_OFFLINE=1 record systemctl daemon-reload
SYSTEMD_OFFLINE=1 record systemctl is-system-running

world="$RECORD_WORLD/../systemd" && mkdir -p "$world/etc" "$world/units" && chmod 755 "$RECORD_WORLD/.."
world=$(realpath "$world") && fixed "$world/units" /usr/lib/systemd/system
unit() { printf '[Unit]\nDescription=%s\nDefaultDependencies=no\n' "$1" >"$world/units/$1"; cat >>"$world/units/$1"; }
for name in idle sysinit shutdown basic multi-user; do unit $name.target </dev/null; done
echo AllowIsolate=yes >>"$world/units/idle.target"
unit good.service <<<$'[Service]\nExecStart=/bin/sleep 1000\n[Install]\nWantedBy=multi-user.target'
unit other.service <<<$'[Service]\nExecStart=/bin/sleep 1000\n[Install]\nWantedBy=multi-user.target\nAlias=taken.service'
unit fail.service <<<$'[Service]\nType=oneshot\nExecStart=/bin/false'
unit crash.service <<<$'[Service]\nType=oneshot\nExecStart=/bin/sh -c "kill -SEGV $$$$"'
unit slow.service <<<$'[Service]\nType=notify\nTimeoutStartSec=1\nExecStart=/bin/sleep 1000'
unit absent.service <<<$'[Service]\nType=exec\nExecStart=/nosuch/program'
unit later.service <<<$'[Unit]\nStartLimitIntervalSec=1h\nStartLimitBurst=2\n[Service]\nExecStart=/bin/sleep 1000'
unit bad.service <<<$'[Service]\nExecStart=relative/path'
unit empty.service <<<$'[Service]\nRestart=no'
unit needs.service <<<$'Requires=fail.service\nAfter=fail.service\n[Service]\nExecStart=/bin/sleep 1000'
unit lacks.service <<<$'Requires=nosuch.service\n[Service]\nExecStart=/bin/sleep 1000'
unit refuses.service <<<$'RefuseManualStart=yes\nRefuseManualStop=yes\n[Service]\nExecStart=/bin/sleep 1000'
unit asserts.service <<<$'AssertPathExists=/nosuch\n[Service]\nExecStart=/bin/sleep 1000'
unit conditional.service <<<$'ConditionPathExists=/nosuch\n[Service]\nExecStart=/bin/sleep 1000'
unit dbus.socket <<<$'[Socket]\nListenStream=/run/dbus/system_bus_socket'
unit dbus.service <<<$'Requires=dbus.socket\n[Service]\nType=notify\nExecStart=/usr/bin/dbus-daemon --system --address=systemd: --nofork --nopidfile --systemd-activation'
for each in systemd unified; do mkdir -p "/sys/fs/cgroup/$each/world-$$" 2>/dev/null; done
cat >"$world/start.sh" <<'START'
mount -t tmpfs tmpfs /run && mkdir -p /run/systemd /run/dbus /run/lock
mount --bind "$1/etc" /etc/systemd/system
echo 0123456789abcdef0123456789abcdef >"$1/machine-id" && mount --bind "$1/machine-id" /etc/machine-id
mount -t tmpfs tmpfs /var/log
hostname world
export container=other SYSTEMD_UNIT_PATH="/etc/systemd/system:/run/systemd/system:$1/units"
exec /lib/systemd/systemd --system --unit=idle.target --show-status=no --log-target=null
START
(
  for each in systemd unified; do echo $BASHPID >"/sys/fs/cgroup/$each/world-$$/cgroup.procs" 2>/dev/null; done
  exec unshare -m -p -f -u -i -C --kill-child --mount-proc --propagation private bash "$world/start.sh" "$world" </dev/null >/dev/null 2>&1
) &
outside=$!
for _ in $(seq 100); do
  inside=$(pgrep -P "$outside") && nsenter -t "$inside" -m -p -u -C systemctl is-active -q idle.target 2>/dev/null && break
  sleep 0.1
done
in_world() { nsenter -t "$inside" -m -p -u -C "$@"; }
rec() { in_world bash -c "cd '$RECORD_WORLD'; $(declare -f record); record \"\$@\"" - "$@"; }

# Starting and stopping
rec systemctl start good
rec systemctl start nosuch
rec systemctl restart nosuch.service
rec systemctl stop nosuch
rec systemctl reload nosuch
rec systemctl start good nosuch
rec systemctl start fail
rec systemctl start crash
rec systemctl start slow
rec systemctl start absent
rec systemctl start bad
rec systemctl start empty
rec systemctl start needs
rec systemctl start lacks
rec systemctl start refuses
rec systemctl start asserts
rec systemctl start conditional
in_world systemctl restart later
in_world systemctl restart later
rec systemctl restart later
rec systemctl reload good
rec systemctl reload other
rec systemctl isolate good
rec systemctl kill nosuch
rec systemctl kill other
rec systemctl mask other
rec systemctl start other
rec systemctl enable other
rec systemctl unmask other
# Questions
rec systemctl is-active good
rec systemctl is-active other
rec systemctl is-active fail
rec systemctl is-active nosuch
rec systemctl is-active -q other
rec systemctl is-failed fail
rec systemctl is-failed good
rec systemctl is-enabled good
rec systemctl is-enabled nosuch
rec systemctl is-system-running
rec systemctl status other
rec systemctl status fail
rec systemctl status nosuch
rec systemctl status 999999
rec systemctl show -p Id,ActiveState,LoadState good
rec systemctl show -p LoadState nosuch
rec systemctl cat nosuch
rec systemctl list-units --type=service
rec systemctl list-units --type=service --no-legend --state=failed
rec systemctl list-units -o json --state=failed --type=service
rec systemctl list-unit-files --type=service
rec systemctl list-units 'nosuch*'
rec systemctl list-dependencies nosuch
# Files of units
rec systemctl enable good
rec systemctl is-enabled good
rec systemctl enable nosuch
rec systemctl enable fail
rec systemctl disable nosuch
rec systemctl mask good
rec systemctl disable good
ln -s /usr/lib/systemd/system/idle.target "$world/etc/taken.service"
rec systemctl enable other
rec systemctl set-default nosuch.target
rec systemctl edit good
rec systemctl link nowhere.service
rec systemctl daemon-reload
# The command line
rec systemctl frobnicate good
rec systemctl strat good
rec systemctl start
rec systemctl --frobnicate start good
rec systemctl start 'a b/../c*'
rec systemctl -t nosuchtype list-units
rec systemctl kill -s NOSUCH good
rec systemctl set-property good NoSuch=1
rec systemctl -H nobody@host.example.invalid status
rec systemctl -M nosuchmachine status
# Without rights
command -v dbus-daemon >/dev/null && {
  in_world systemctl start dbus.socket dbus.service && sleep 1
  other="$RECORD_WORLD/../nobody" && mkdir "$other" && printf '#!/bin/sh\nexec setpriv --reuid=65534 --regid=65534 --clear-groups -- /usr/bin/systemctl "$@"\n' >"$other/systemctl" && chmod 755 "$other" "$other/systemctl"
  PATH="$other:$PATH"
  rec systemctl stop good
  rec systemctl start nosuch
  rec systemctl enable good
  rec systemctl daemon-reload
  rec systemctl is-active good
  rec systemctl --user start good
}
kill -9 "$inside" && wait "$outside" 2>/dev/null
for each in systemd unified; do find "/sys/fs/cgroup/$each/world-$$" -depth -type d -exec rmdir {} \; 2>/dev/null; done
