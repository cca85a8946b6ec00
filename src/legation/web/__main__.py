"""The pages that need no office, for those who work on them: ``python -m legation.web [PORT]``."""

import sys

if __name__ == "__main__":
    try:
        from legation.web.serving import serve
    except ModuleNotFoundError as error:
        sys.exit(f"legation: the pages need {error.name}; install it with: pip install 'legation[office]'")
    serve(port=int(sys.argv[1]) if len(sys.argv) > 1 else 8000)
