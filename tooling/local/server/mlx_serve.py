"""Serves a model with mlx_lm's server: mlx_serve.py MODEL

Prints the address. Ends with the standard input, so it does not outlive the process that started
it.
"""

import os
import sys
from http.server import ThreadingHTTPServer
from threading import Thread

from mlx_lm import server

activate = ThreadingHTTPServer.server_activate


def announce(http: ThreadingHTTPServer) -> None:
    activate(http)
    print(f"http://127.0.0.1:{http.server_port}", flush=True)


def end_with_input() -> None:
    sys.stdin.read()
    os._exit(0)  # the server's own threads do not end


ThreadingHTTPServer.server_activate = announce
Thread(target=end_with_input, daemon=True).start()
sys.argv = ["mlx_lm.server", "--model", sys.argv[1], "--port", "0", "--log-level", "WARNING"]
server.main()
