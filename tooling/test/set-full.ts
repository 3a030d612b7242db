process.env["FULLSTOP_FULL"] = "1"; // read by `full.ts`, in this process and in each worker
