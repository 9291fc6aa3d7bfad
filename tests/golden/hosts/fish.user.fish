# Written by clawwrap init fish; `clawwrap init fish --uninstall` removes it.
set -l shims $HOME/.local/share/clawwrap/shims
set -q XDG_DATA_HOME; and test -n "$XDG_DATA_HOME"; and set shims $XDG_DATA_HOME/clawwrap/shims
set -q CLAWWRAP_SHIM_DIR; and test -n "$CLAWWRAP_SHIM_DIR"; and set shims $CLAWWRAP_SHIM_DIR
contains -- $shims $PATH; or set -gx PATH $shims $PATH
