"""The wrapper that everybody writes first: subprocess.run, and json at the end."""

import json
import subprocess
import sys

done = subprocess.run(sys.argv[1:], check=False, capture_output=True, text=True)
print(json.dumps({"exit_code": done.returncode, "stdout": done.stdout, "stderr": done.stderr}))
sys.exit(done.returncode)
