"""Serves a model with llama.cpp's server: serve.py MODEL SEED [TEMPLATE]

Prints the address. Ends with the standard input, so it does not outlive the process that started it.
"""

import sys

import xllamacpp

params = xllamacpp.CommonParams()
params.model.path = sys.argv[1]
params.sampling.seed = int(sys.argv[2])
params.hostnames = ["127.0.0.1"]
params.port = 0
params.n_ctx = 4096
params.n_parallel = 1
params.n_gpu_layers = 0
params.cpuparams.n_threads = 1
params.use_jinja = True
if len(sys.argv) > 3:
    with open(sys.argv[3]) as template:
        params.chat_template = template.read()
params.warmup = False
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()
