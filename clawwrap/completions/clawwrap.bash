# Completion of clawwrap for bash. Made by: clawwrap manifest --completion bash -o raw

_clawwrap() {
    local cur=${COMP_WORDS[COMP_CWORD]} at=1 word
    COMPREPLY=()
    while ((at < COMP_CWORD)); do
        word=${COMP_WORDS[at]}
        if [[ $word == -- ]]; then
            _clawwrap_tool $((at + 1))
            return
        elif [[ " @VALUED@ " == *" $word "* ]]; then
            ((at++))
            [[ ${COMP_WORDS[at]} == = ]] && ((at++)) # bash makes three words of --option=value
            if ((at >= COMP_CWORD)); then
                _clawwrap_value "$word" "${cur#=}"
                return
            fi
            [[ $word == -c ]] && return
        elif [[ $word != -* ]]; then
            break
        fi
        ((at++))
    done
    if ((at < COMP_CWORD)); then
        if ((at == 1)) && [[ " @VERBS@ " == *" ${COMP_WORDS[1]} "* ]]; then
            _clawwrap_verb
        else
            _clawwrap_tool "$at"
        fi
    elif [[ $cur == --*=* ]]; then # where = breaks no words
        _clawwrap_value "${cur%%=*}" "${cur#*=}"
        COMPREPLY=("${COMPREPLY[@]/#/${cur%%=*}=}")
    elif [[ $cur == -* ]]; then
        COMPREPLY=($(compgen -W '@OPTIONS@' -- "$cur"))
    else
        _clawwrap_tool "$at"
        ((at == 1)) && COMPREPLY+=($(compgen -W '@VERBS@' -- "$cur"))
    fi
}

# The values of an option.
_clawwrap_value() {
    local IFS=$'\n'
    case $1 in
        --cwd) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$2")) ;;
        --adapter) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$2")) ;;
        *) COMPREPLY=($(IFS=' ' compgen -W "$(_clawwrap_allowed "$1")" -- "$2")) ;;
    esac
}

_clawwrap_allowed() {
    case $1 in
        @VALUES@
    esac
}

# What may stand behind a verb; behind its `--` stands a tool.
_clawwrap_verb() {
    local at=2 words
    while ((at < COMP_CWORD)); do
        if [[ ${COMP_WORDS[at]} == -- ]]; then
            _clawwrap_tool $((at + 1))
            return
        fi
        ((at++))
    done
    words=$(_clawwrap_behind "${COMP_WORDS[1]} ${COMP_WORDS[2]}")
    if ((COMP_CWORD == 2)) || [[ -z $words ]]; then
        words=$(_clawwrap_behind "${COMP_WORDS[1]}")
    fi
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
}

_clawwrap_behind() {
    case $1 in
        @ACTIONS@
    esac
}

# From this word on it is the tool's turn.
_clawwrap_tool() {
    if declare -F _comp_command_offset >/dev/null; then
        _comp_command_offset "$1"
    elif declare -F _command_offset >/dev/null; then
        _command_offset "$1"
    else
        _clawwrap_offset "$1"
    fi
}

# The same where the package bash-completion is not installed.
_clawwrap_offset() {
    local cur=${COMP_WORDS[COMP_CWORD]} spec run
    COMP_WORDS=("${COMP_WORDS[@]:$1}")
    ((COMP_CWORD -= $1))
    COMP_LINE=${COMP_WORDS[*]}
    COMP_POINT=${#COMP_LINE}
    if ((COMP_CWORD == 0)); then
        COMPREPLY=($(compgen -c -- "$cur"))
        return
    fi
    spec=$(complete -p -- "${COMP_WORDS[0]##*/}" 2>/dev/null)
    if [[ $spec == *' -F '* ]]; then
        run=${spec#* -F }
        "${run%% *}" "${COMP_WORDS[0]}" "$cur" "${COMP_WORDS[COMP_CWORD - 1]}"
    else
        compopt -o filenames 2>/dev/null
        local IFS=$'\n'
        COMPREPLY=($(compgen -f -- "$cur"))
    fi
}

complete -o bashdefault -o default -F _clawwrap clawwrap
