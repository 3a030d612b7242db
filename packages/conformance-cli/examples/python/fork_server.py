"""Starts a Python program many times, and imports its packages once.

    python fork_server.py agent.py [argument...]

does what `python agent.py [argument...]` does. The first time it also starts a server, which imports
what the program imports at its beginning. For each run the server forks a child, which then runs the
program from its first line. It needs nothing but Python 3.9 or newer, on Linux or macOS. Elsewhere,
and for a program that cannot be forked safely, the program is started as usual.

What the server imports: it executes the program until the first statement that is neither an import
nor `os.environ[...] = ...`. So imports of slow packages belong to the beginning of the file.

What each run has of its own: arguments, environment, folder, standard input and output, exit code,
process group. Modules are shared as they were after the import, and nothing that a run changes is
there in another. What a package reads from the environment *while it is imported* is the exception:
the server has only PATH, HOME and the like, and what the program itself has set by then.

The server ends after FORK_SERVER_IDLE seconds without a run (60 by default), when the program file
changes, and when its socket is removed. If a client is killed, what it started is killed too.
"""

import ast
import atexit
import gc
import hashlib
import json
import os
import runpy
import selectors
import signal
import socket
import sys
import tempfile
import threading
import time
import traceback

IDLE_SECONDS = float(os.environ.get("FORK_SERVER_IDLE", "60"))
# A server that takes longer to import is not waited for.
START_SECONDS = 300
# The server must not inherit what belongs to one run.
INHERITED = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "USER", "VIRTUAL_ENV", "FORK_SERVER_IDLE")


def socket_path(script):
    """A name for this program, this interpreter and this user, short enough for a socket."""
    state = os.stat(script)
    key = [sys.executable, script, state.st_mtime_ns, state.st_size, __file__]
    name = hashlib.sha256(json.dumps(key).encode()).hexdigest()[:16]
    folder = os.path.join(tempfile.gettempdir(), f"fork-server-{os.getuid()}")
    os.makedirs(folder, mode=0o700, exist_ok=True)
    about = os.lstat(folder)
    if about.st_uid != os.getuid() or about.st_mode & 0o077:
        raise PermissionError(f"{folder} must belong to you alone: remove it, or set TMPDIR.")
    return os.path.join(folder, name + ".socket")


# The client


def run_through_server(script, arguments):
    """Runs the program in a child of the server. Returns False if it must be started as usual."""
    import fcntl

    path = socket_path(script)
    with open(path + ".lock", "w") as lock:
        # Clients that start at the same time start one server.
        fcntl.flock(lock, fcntl.LOCK_EX)
        server = connect(path) or start_server(path, script)
    if server is None:
        return False
    request = {"arguments": arguments, "environment": dict(os.environ), "folder": os.getcwd()}
    text = json.dumps(request).encode()
    socket.send_fds(server, [len(text).to_bytes(8, "big")], [0, 1, 2])
    server.sendall(text)
    answer = read_all(server)
    if answer == b"":
        sys.exit("The fork server ended before the program did.")
    status = int(answer)
    # A signal that ended the program becomes an exit code, as in a shell.
    os._exit(128 - status if status < 0 else status)


def connect(path):
    server = socket.socket(socket.AF_UNIX)
    try:
        server.connect(path)
        return server
    except (FileNotFoundError, ConnectionRefusedError):
        server.close()
        return None


def start_server(path, script):
    """Starts the server, and waits until it has imported. Returns None if it does not fork."""
    if os.path.exists(path + ".unsafe"):
        return None
    import subprocess

    process = subprocess.Popen(
        [sys.executable, __file__, "--serve", path, script],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd="/",
        env={name: os.environ[name] for name in INHERITED if name in os.environ},
        start_new_session=True,
    )
    until = time.monotonic() + START_SECONDS
    while process.poll() is None and time.monotonic() < until:
        server = connect(path)
        if server is not None:
            return server
        time.sleep(0.02)
    return None


def read_all(connection):
    parts = []
    while part := connection.recv(65536):
        parts.append(part)
    return b"".join(parts)


def read_exactly(connection, size):
    parts = b""
    while len(parts) < size:
        part = connection.recv(size - len(parts))
        if part == b"":
            raise EOFError
        parts += part
    return parts


# The server


def beginning_of(script):
    """The first statements of the program, which import or set variables of the environment."""
    with open(script, "rb") as file:
        tree = ast.parse(file.read(), script)
    body = []
    for statement in tree.body:
        is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        is_import = isinstance(statement, (ast.Import, ast.ImportFrom))
        sets_variable = isinstance(statement, ast.Assign) and all(
            ast.unparse(target).startswith("os.environ[") for target in statement.targets
        )
        if not (is_text or is_import or sets_variable):
            break
        body.append(statement)
    return compile(ast.Module(body, type_ignores=[]), script, "exec")


def import_beginning(script):
    """Returns the variables of the environment that the imports have set or changed."""
    before = dict(os.environ)
    sys.path[0] = os.path.dirname(script)
    sys.argv = [script]
    try:
        exec(beginning_of(script), {"__name__": "__fork_server__", "__file__": script})
    except Exception:
        # The program fails in the same way, and says so to its own output.
        pass
    return {name: text for name, text in os.environ.items() if before.get(name) != text}


def serve(path, script):
    """Forks a child for each request. Returns in the child, with what it must run."""
    changed = import_beginning(script)
    if threading.active_count() > 1:
        # A fork has only one thread, so the locks of the others would stay closed for ever.
        open(path + ".unsafe", "w").close()
        return None
    if os.path.exists(path):
        os.unlink(path)
    # Without this the first collection of a child copies the memory of all modules.
    gc.freeze()
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen(128)
    selector = selectors.DefaultSelector()
    selector.register(listener, selectors.EVENT_READ)
    # A child that ends wakes the selector.
    wake, waker = socket.socketpair()
    waker.setblocking(False)
    signal.set_wakeup_fd(waker.fileno())
    signal.signal(signal.SIGCHLD, lambda *_: None)
    selector.register(wake, selectors.EVENT_READ)
    clients = {}
    last = time.monotonic()
    while True:
        for key, _ in selector.select(timeout=1):
            if key.fileobj is listener:
                client, _ = listener.accept()
                request = receive(client)
                if request is None:
                    client.close()
                    continue
                pid = os.fork()
                if pid == 0:
                    selector.close()
                    for end in [listener, wake, waker, client, *clients.values()]:
                        end.close()
                    return request, changed
                for descriptor in request["descriptors"]:
                    os.close(descriptor)
                clients[pid] = client
                selector.register(client, selectors.EVENT_READ, pid)
            elif key.fileobj is wake:
                wake.recv(4096)
            else:
                # The client was killed, so its run is over.
                selector.unregister(key.fileobj)
                kill_group(key.data)
        while clients:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                break
            answer(selector, clients.pop(pid), os.waitstatus_to_exitcode(status))
            last = time.monotonic()
        if clients:
            last = time.monotonic()
        gone = not os.path.exists(path)
        if gone or (not clients and time.monotonic() - last > IDLE_SECONDS):
            if not gone:
                os.unlink(path)
            os._exit(0)


def receive(client):
    """The request and the three descriptors of a client, or None if it has gone."""
    client.settimeout(10)
    try:
        size, descriptors, _, _ = socket.recv_fds(client, 8, 3)
        if len(size) < 8 or len(descriptors) < 3:
            return None
        text = read_exactly(client, int.from_bytes(size, "big"))
    except (OSError, EOFError):
        return None
    return {**json.loads(text), "descriptors": descriptors}


def answer(selector, client, code):
    try:
        selector.unregister(client)
    except KeyError:
        pass
    try:
        client.sendall(str(code).encode())
    except OSError:
        pass
    client.close()


def kill_group(pid):
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


def run_child(script, request, changed):
    """Becomes the run that a client asked for."""
    os.setsid()
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for target, descriptor in enumerate(request["descriptors"]):
        os.dup2(descriptor, target)
        os.close(descriptor)
    os.environ.clear()
    os.environ.update({**changed, **request["environment"]})
    os.chdir(request["folder"])
    sys.argv = [script, *request["arguments"]]
    code = 0
    try:
        runpy.run_path(script, run_name="__main__")
    except SystemExit as exit:
        code = exit.code
        if code is not None and not isinstance(code, int):
            print(code, file=sys.stderr)
            code = 1
    except BaseException:
        traceback.print_exc()
        code = 1
    # What Python does at its end, without freeing the modules, which a fork would first copy.
    threading._shutdown()
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            code = code or 1
    os._exit((code or 0) & 255)


def main():
    if sys.argv[1:2] == ["--serve"]:
        path, script = sys.argv[2:]
        work = serve(path, script)
        if work is not None:
            run_child(script, *work)
        return
    if len(sys.argv) < 2:
        sys.exit("Usage: python fork_server.py PROGRAM [ARGUMENT...]")
    script = os.path.abspath(sys.argv[1])
    if not (hasattr(os, "fork") and run_through_server(script, sys.argv[2:])):
        os.execv(sys.executable, [sys.executable, script, *sys.argv[2:]])


main()
