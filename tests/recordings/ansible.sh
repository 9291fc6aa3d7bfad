needs ansible nginx
version "ansible $(ansible --version | sed -n '1s/.*core \([0-9.]*\).*/\1/p')"
http_server
export ANSIBLE_LOCALHOST_WARNING=False ANSIBLE_INVENTORY_UNPARSED_WARNING=False
export ANSIBLE_PYTHON_INTERPRETER="$(command -v python3)"
fixed "$ANSIBLE_PYTHON_INTERPRETER" /usr/bin/python3
printf 'good ansible_connection=local\nother ansible_connection=local\n' >hosts
printf 'far ansible_host=127.0.0.1 ansible_port=%s\n' "${CLOSED#*:}" >far
cat hosts far >both
run() { record ansible "$@"; }
run localhost -m ping
run localhost -m command -a 'echo unreachable'
run localhost -m command -a false
run localhost -m command -a 'ls nothing'
run localhost -m command -a no-such-program
run localhost -m shell -a 'echo "fatal: access denied"; exit 4'
run localhost -m copy -a 'src=missing dest=out'
run localhost -m file -a 'path=x stat=directory'
run localhost -m no_such_module
run localhost -m debug -a 'msg={{ nothing_here }}'
run nogroup -i hosts -m ping
run all -i far -m ping
run all -i both -m ping
run all -i hosts -m command -a 'test "$x"'
run all -i hosts -m shell -a 'echo done'
run all -i missing -m ping
run
run localhost --nope
run localhost -m uri -a "url=$HTTP/403"
run localhost -m get_url -a "url=http://$CLOSED/x dest=out"
run localhost -m wait_for -a 'port=1 timeout=1'
run localhost -m package -a 'name=x state=nope'
run localhost -m ping -e '@nothing.yml'
run localhost --list-hosts
run --version
run localhost -m setup -a 'filter=ansible_pkg_mgr'

# What a host may refuse, by a real sshd
needs sshd ssh-keygen
ssh-keygen -q -t ed25519 -N '' -f hostkey
sshd_port=$(free_port)
mkdir -p /run/sshd
"$(command -v sshd)" -D -e -f /dev/null -h "$PWD/hostkey" -p "$sshd_port" -o ListenAddress=127.0.0.1 -o PidFile=none 2>/dev/null &
wait_for "$sshd_port"
fixed "127.0.0.1]:$sshd_port" '127.0.0.1]:2222'
fixed "port $sshd_port" 'port 2222'
printf 'near ansible_host=127.0.0.1 ansible_port=%s ansible_user=nobodyhere\n' "$sshd_port" >near
printf 'dark ansible_host=nowhere.invalid\n' >dark
ANSIBLE_HOST_KEY_CHECKING=True run all -i near -m ping '--ssh-common-args=-o StrictHostKeyChecking=yes -o UserKnownHostsFile=/dev/null'
run all -i near -m ping '--ssh-common-args=-o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null'
run all -i dark -m ping
run localhost -m assert -a 'that=1==2'
run localhost -m uri -a "url=$HTTP/401"
run localhost -m uri -a "url=$HTTP/429"
printf '$ANSIBLE_VAULT;1.1;AES256\n61\n' >vault.yml
run localhost -m ping -e @vault.yml
run localhost -m copy -a 'content=x dest=/proc/1/nothing'
run localhost -m uri -a "url=$HTTP/404"
