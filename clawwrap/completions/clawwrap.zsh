#compdef clawwrap
# Completion of clawwrap for zsh. Made by: clawwrap manifest --completion zsh -o raw

_clawwrap() {
    local -i at=2
    local word
    while (( at < CURRENT )); do
        word=$words[at]
        if [[ $word == -- ]]; then
            _clawwrap_tool $(( at + 1 ))
            return
        elif [[ " @VALUED@ " == *" $word "* ]]; then
            if (( at + 1 == CURRENT )); then
                _clawwrap_value $word
                return
            fi
            [[ $word == -c ]] && return 1
            (( at++ ))
        elif [[ $word != -* ]]; then
            break
        fi
        (( at++ ))
    done
    if (( at < CURRENT )); then
        if (( at == 2 )) && [[ " @VERBS@ " == *" $words[2] "* ]]; then
            _clawwrap_verb
        else
            _clawwrap_tool $at
        fi
    elif [[ $PREFIX == --*=* ]]; then
        word=${PREFIX%%=*}
        compset -P 1 '*='
        _clawwrap_value $word
    elif [[ $PREFIX == -* ]]; then
        local -a options=(
        @DESCRIBED@
        )
        _describe -o option options
    else
        local -a verbs=(@VERBS@)
        local ret=1
        (( at == 2 )) && _describe verb verbs && ret=0
        _clawwrap_tool $at && ret=0
        return ret
    fi
}

# The values of an option.
_clawwrap_value() {
    local -a allowed=(${=$(_clawwrap_allowed $1)})
    case $1 in
        --cwd) _files -/ ;;
        --adapter) _files ;;
        *) (( $#allowed )) && _describe value allowed ;;
    esac
}

_clawwrap_allowed() {
    case $1 in
        @VALUES@
    esac
}

# What may stand behind a verb; behind its `--` stands a tool.
_clawwrap_verb() {
    local -i at=$words[(I)--]
    if (( at && at < CURRENT )); then
        _clawwrap_tool $(( at + 1 ))
        return
    fi
    local -a more
    (( CURRENT > 3 )) && more=(${=$(_clawwrap_behind "$words[2] $words[3]")})
    (( $#more )) || more=(${=$(_clawwrap_behind $words[2])})
    _alternative "words:word:($more)" 'files:file:_files'
}

_clawwrap_behind() {
    case $1 in
        @ACTIONS@
    esac
}

# From this word on it is the tool's turn.
_clawwrap_tool() {
    shift $(( $1 - 1 )) words
    (( CURRENT -= $1 - 1 ))
    _normal
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    _clawwrap "$@"
else
    compdef _clawwrap clawwrap
fi
