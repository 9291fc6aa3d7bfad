needs ansible-playbook nginx
version "ansible-playbook $(ansible-playbook --version | sed -n '1s/.*core \([0-9.]*\).*/\1/p')"
http_server
export ANSIBLE_LOCALHOST_WARNING=False ANSIBLE_INVENTORY_UNPARSED_WARNING=False
export ANSIBLE_PYTHON_INTERPRETER="$(command -v python3)"
fixed "$ANSIBLE_PYTHON_INTERPRETER" /usr/bin/python3
printf 'good ansible_connection=local\nother ansible_connection=local\n' >hosts

# play NAME: a playbook of local tasks from standard input
play() { { printf -- '- hosts: %s\n  connection: local\n  gather_facts: false\n  tasks:\n' "${2:-localhost}"; sed 's/^/    /'; } >"$1.yml"; }
run() { record ansible-playbook "$@"; }

play good <<'YML'
- command: echo permission denied
YML
run good.yml
run good.yml --check
run good.yml --syntax-check
run good.yml --list-hosts
run --list-tasks good.yml
run missing.yml
run
run good.yml --nope
run good.yml -i missing-inventory
run good.yml -i hosts --limit nobody
run good.yml -e @missing.yml
run good.yml -e '{"a": '
run good.yml --start-at-task nothing
play nohosts nogroup <<'YML'
- command: echo x
YML
run nohosts.yml -i hosts
play failing <<'YML'
- command: "false"
YML
run failing.yml
play missingcommand <<'YML'
- command: no-such-program
YML
run missingcommand.yml
play partial <<'YML'
- file: {path: made, state: directory, mode: '0700'}
- command: {argv: [sh, -c, 'exit 3']}
YML
run partial.yml
rm -rf made
play some 'good,other' <<'YML'
- file: {path: "made-{{ inventory_hostname }}", state: directory, mode: '0700'}
  when: inventory_hostname == 'good'
- command: "false"
  when: inventory_hostname == 'other'
YML
run some.yml -i hosts
play undefined <<'YML'
- debug: {msg: "{{ nothing_here }}"}
YML
run undefined.yml
play badmodule <<'YML'
- no_such_module: {a: b}
YML
run badmodule.yml
play badoption <<'YML'
- file: {path: x, stat: directory}
YML
run badoption.yml
play noarg <<'YML'
- file: {state: directory}
YML
run noarg.yml
play template <<'YML'
- template: {src: missing.j2, dest: out, mode: '0600'}
YML
run template.yml
play jinja <<'YML'
- debug: {msg: "{{ 1 + }}"}
YML
run jinja.yml
play denied <<'YML'
- copy: {content: x, dest: /proc/1/nothing, mode: '0600'}
YML
run denied.yml
play uri404 <<YML
- uri: {url: "$HTTP/404"}
YML
run uri404.yml
play uri401 <<YML
- uri: {url: "$HTTP/401"}
YML
run uri401.yml
play urirefused <<YML
- uri: {url: "http://$CLOSED/"}
YML
run urirefused.yml
play geturl <<YML
- get_url: {url: "$HTTP/503", dest: out, mode: '0600'}
YML
run geturl.yml
play waits <<'YML'
- wait_for: {port: 1, timeout: 1}
YML
run waits.yml
play asserts <<'YML'
- assert: {that: 1 == 2, fail_msg: "version too old"}
YML
run asserts.yml
play fails <<'YML'
- fail: {msg: "Set target_env first"}
YML
run fails.yml
play ignored <<'YML'
- command: "false"
  ignore_errors: true
YML
run ignored.yml
printf -- '- hosts: localhost\n  tasks:\n   - command: echo\n  - debug: x\n' >syntax.yml
run syntax.yml
printf 'hosts: localhost\n' >notalist.yml
run notalist.yml
printf -- '- hosts: localhost\n  taskss: []\n' >badkey.yml
run badkey.yml
printf -- '- hosts: localhost\n  roles: [nothing]\n' >norole.yml
run norole.yml
printf -- '- hosts: localhost\n  tasks:\n    - include_tasks: missing.yml\n' >noinclude.yml
run noinclude.yml -c local
printf '$ANSIBLE_VAULT;1.1;AES256\n61\n' >vault.yml
run good.yml -e @vault.yml
echo secret >pass
run good.yml -e @vault.yml --vault-password-file pass
run good.yml --vault-password-file nopass
printf 'far ansible_host=127.0.0.1 ansible_port=%s\n' "${CLOSED#*:}" >far
printf -- '- hosts: all\n  gather_facts: false\n  tasks: [{ping: }]\n' >ping.yml
run ping.yml -i far
printf 'dark ansible_host=nowhere.invalid\n' >dark
run ping.yml -i dark
cat far hosts >both
run ping.yml -i both
printf 'slow ansible_host=127.0.0.1 ansible_port=%s\n' "${SILENT#*:}" >slow
run ping.yml -i slow -T 1
run good.yml -k
mkdir collections
play collection <<'YML'
- community.nothing.module: {}
YML
run collection.yml
play serviceless <<'YML'
- service: {name: no-such-unit, state: started}
YML
run serviceless.yml
play checks <<'YML'
- file: {path: changed-by-check, state: directory, mode: '0700'}
YML
run checks.yml --check --diff
