# >>> clawwrap >>>
clawwrap_shims="${CLAWWRAP_SHIM_DIR:-${XDG_DATA_HOME:-$HOME/.local/share}/clawwrap/shims}"
case ":$PATH:" in
  *":$clawwrap_shims:"*) ;;
  *) export PATH="$clawwrap_shims:$PATH" ;;
esac
unset clawwrap_shims
# <<< clawwrap <<<
