"""Pages in other languages: messages in templates and scripts are found there and put back in another language."""
