"""The pages that need no office, for those who work on them: ``python -m legation.web [PORT]``."""

import sys

from legation.web.serving import serve

if __name__ == "__main__":
    serve(port=int(sys.argv[1]) if len(sys.argv) > 1 else 8000)
