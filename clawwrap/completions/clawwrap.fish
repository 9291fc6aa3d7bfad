# Completion of clawwrap for fish. Made by: clawwrap manifest --completion fish -o raw

function __clawwrap
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l at 2
    while test $at -le (count $words)
        set -l word $words[$at]
        if test "$word" = --
            __clawwrap_tool $words[(math $at + 1)..-1] $current
            return
        else if contains -- "$word" @VALUED@
            if test $at -eq (count $words)
                __clawwrap_value $word "$current"
                return
            end
            test "$word" = -c; and return
            set at (math $at + 1)
        else if not string match -q -- '-*' "$word"
            break
        end
        set at (math $at + 1)
    end
    if test $at -le (count $words)
        if test $at -eq 2; and contains -- "$words[2]" @VERBS@
            __clawwrap_verb "$current" $words
        else
            __clawwrap_tool $words[$at..-1] "$current"
        end
    else if string match -q -- '--*=*' "$current"
        set -l parts (string split -m 1 = -- "$current")
        __clawwrap_value $parts[1] "$parts[2]" | string replace -r '^' -- "$parts[1]="
    else if string match -q -- '-*' "$current"
        __clawwrap_options
    else
        test $at -eq 2; and printf '%s\tverb\n' @VERBS@
        __clawwrap_tool "$current"
    end
end

function __clawwrap_options
    @DESCRIBED@
end

# The values of an option.
function __clawwrap_value -a option current
    switch $option
        case --cwd
            __fish_complete_directories "$current"
        case --adapter
            __fish_complete_path "$current"
        case '*'
            __clawwrap_allowed $option | string split ' '
    end
end

function __clawwrap_allowed
    switch $argv[1]
        @VALUES@
    end
end

# What may stand behind a verb; behind its `--` stands a tool.
function __clawwrap_verb -a current
    set -l words $argv[2..-1]
    if set -l at (contains -i -- -- $words)
        __clawwrap_tool $words[(math $at + 1)..-1] "$current"
        return
    end
    set -l more
    test (count $words) -gt 2; and set more (__clawwrap_behind "$words[2] $words[3]")
    test -n "$more"; or set more (__clawwrap_behind $words[2])
    string split ' ' -- $more
    __fish_complete_path "$current"
end

function __clawwrap_behind
    switch $argv[1]
        @ACTIONS@
    end
end

# From here on it is the tool's turn: its words, the one being typed last.
function __clawwrap_tool
    set -l line (string join ' ' -- (string escape -- $argv[1..-2]) "$argv[-1]")
    complete -C "$line"
end

complete -c clawwrap -e
complete -c clawwrap -f -a '(__clawwrap)'
