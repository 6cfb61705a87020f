"""The measure of the judges: makes each deliberate mistake of the emulated services, and looks who notices.

`scripts/judge-cloudlab` starts it.
"""

import argparse
import contextlib
import hashlib
import json
import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import time

SCRIPTS = pathlib.Path(__file__).resolve().parent

# The judges of a service in the order of their turns: script, name, and whether its packages are the slow ones.
FOREIGN = {
    "dropbox": [("dropbox_sdk", "Dropbox's SDK", False), ("rclone_dropbox", "rclone", False)],
    "graph": [("msgraph_sdk", "Microsoft's SDK", True), ("rclone_onedrive", "rclone", False)],
}
SUITES = {"dropbox": "DropboxConformanceTests", "graph": "OneDriveConformanceTests"}
CHECKER, SUITE = "checker", "Ferry's suite"

# Seconds that a judge may take, and the number of mutants that have to be noticed.
FOREIGN_LIMIT, SUITE_LIMIT = 1_200, 3_600
WANTED = 55


def main():
    options = arguments()
    # So that what runs is ended.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    mutants = dict(line.split("\t", 1) for line in output([options.lab, "--list-mutants"]).splitlines())
    chosen = [name for name in mutants if not options.only or any(name.startswith(word) for word in options.only)]
    if not chosen:
        sys.exit(f"there is no mutant {', '.join(options.only)}")
    results = Results(pathlib.Path(options.results), state(options), options.fresh)
    for service in sorted({service_of(name) for name in chosen}):
        check_baseline(service, options, results)
    for number, name in enumerate(chosen, 1):
        known = results.found.get(name)
        if known is None or (options.all and not known["all"]):
            known = results.add(name, judge(name, options), options.all)
        caught = ", ".join(known["caught"]) or "nobody"
        print(f"{number}/{len(chosen)} {name}: {caught} ({known['seconds']:.0f} s)", file=sys.stderr, flush=True)
    print_table(mutants, chosen, results)
    missed = [name for name in chosen if not results.found[name]["caught"]]
    if missed:
        print(f"\nnot noticed: {', '.join(missed)}")
    print(f"\n{len(chosen) - len(missed)} of {len(chosen)} mistakes were noticed")
    sys.exit(0 if len(missed) <= len(mutants) - WANTED else 1)


def arguments():
    parser = argparse.ArgumentParser(prog="scripts/judge-cloudlab", description="Measures the judges of the cloud lab.")
    parser.add_argument("--only", nargs="+", action="extend", default=[], metavar="NAME")
    parser.add_argument("--all", action="store_true", help="let each judge have its turn")
    parser.add_argument("--fresh", action="store_true", help="forget what has been found out before")
    for name in ("lab", "results", "python", "slow-python", "tests", "test-program"):
        parser.add_argument(f"--{name}", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--specs", help=argparse.SUPPRESS)
    parser.add_argument("--isolation", default="", help=argparse.SUPPRESS)
    return parser.parse_args()


def output(command):
    return subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout


def service_of(mutant):
    return mutant.split("-", 1)[0]


def state(options):
    """Returns a text that differs when the services or the judges do, so that older results say nothing."""
    digest = hashlib.sha256()
    for program in (options.lab, options.test_program):
        facts = os.stat(program)
        digest.update(f"{facts.st_size} {facts.st_mtime_ns}\n".encode())
    files = list(SCRIPTS.glob("*.py"))
    if options.specs:
        files += [file for file in pathlib.Path(options.specs).rglob("*") if file.is_file()]
    for file in sorted(files):
        digest.update(f"{file}\n".encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


class Results:
    """The results so far, a line of JSON for each mutant, behind a line with the state that it holds for."""

    def __init__(self, file, state, is_fresh):
        self.file = file
        self.found = {}
        lines = file.read_text().splitlines() if file.exists() and not is_fresh else []
        if lines and lines[0] == json.dumps({"state": state}):
            for line in lines[1:]:
                try:
                    entry = json.loads(line)
                except ValueError:
                    # The run ended while it was written.
                    continue
                self.found[entry["mutant"]] = entry
        else:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps({"state": state}) + "\n")

    def add(self, name, finding, is_all):
        caught, why, seconds = finding
        entry = {"mutant": name, "caught": caught, "why": why, "seconds": round(seconds, 1), "all": is_all}
        self.found[name] = entry
        with self.file.open("a") as file:
            file.write(json.dumps(entry) + "\n")
        return entry


def check_baseline(service, options, results):
    """Ends the run if a judge complains where there is no mistake: then its complaints mean nothing."""
    name = f"(none of {service})"
    if name in results.found and not results.found[name]["caught"]:
        return
    caught, why, seconds = judge(None, options, service, is_complete=True)
    if caught:
        sys.exit(f"without a mistake, {', '.join(caught)} complain of {service}: {why}")
    results.add(name, (caught, why, seconds), True)


def judge(mutant, options, service=None, is_complete=False):
    """Lets the judges have their turns; returns who noticed, why, and the seconds it took."""
    service = service or service_of(mutant)
    start = time.monotonic()
    caught, reasons = [], []
    for script, name, is_slow in FOREIGN[service]:
        notice(*run_foreign(script, name, is_slow, mutant, options), caught, reasons)
        if caught and not (options.all or is_complete):
            break
    if not caught or options.all or is_complete:
        notice(*run_suite(service, mutant, options), caught, reasons)
    return caught, "; ".join(reasons)[:500], time.monotonic() - start


def notice(names, reason, caught, reasons):
    caught += [name for name in names if name not in caught]
    reasons += [reason] if reason else []


def run_foreign(script, name, is_slow, mutant, options):
    """Runs a client that others wrote, with the checker if there is one; returns who noticed, and why."""
    command = shlex.split(options.isolation) + [options.slow_python if is_slow else options.python, "-B"]
    command += [str(SCRIPTS / f"{script}.py"), "--lab", options.lab]
    command += ["--isolated"] if options.isolation else []
    command += ["--specs", options.specs] if options.specs else []
    command += ["--mutant", mutant, "--first"] if mutant else []
    code, text = run(command, FOREIGN_LIMIT)
    failures = [line for line in text.splitlines() if line.startswith("FAILED ")]
    checked = [line for line in failures if ": the checker finds nothing in the answers: " in line]
    names = [CHECKER] if checked else []
    if len(failures) > len(checked) or (code != 0 and not failures):
        names.append(name)
    return names, (failures or [text.strip()[-300:]])[0] if names else ""


def run_suite(service, mutant, options):
    """Runs Ferry's conformance suite of a service; returns who noticed, and why."""
    command = shlex.split(options.tests) + ["--filter", SUITES[service]]
    code, text = run(command, SUITE_LIMIT, {"FERRY_LAB_MUTANT": mutant} if mutant else {})
    if code == 0:
        # A suite that isn't there has noticed nothing, and would never notice anything.
        if not re.search(r"Test run with [1-9]", text):
            sys.exit(f"{SUITES[service]} does not run: {text.strip()[-500:]}")
        return [], ""
    issues = [line for line in text.splitlines() if line.startswith("✘")]
    return [SUITE], (issues or [text.strip()[-300:]])[0]


def run(command, limit, variables=None):
    """Runs a command in a process group of its own; returns its code, `None` if its time was over, and its output."""
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
        env=os.environ | (variables or {}),
    )
    try:
        text, _ = process.communicate(timeout=limit)
        return process.returncode, text
    except subprocess.TimeoutExpired:
        end(process)
        text, _ = process.communicate()
        return None, text + f"\nit was not over after {limit} seconds"
    except BaseException:
        end(process)
        raise


def end(process):
    """Ends a command, and all that it has started: by force if it is not over after 5 seconds."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=5)


def print_table(mutants, chosen, results):
    """Prints the table of the guide."""
    print("| mutant | mistake | noticed by |\n|---|---|---|")
    for name in chosen:
        caught = ", ".join(results.found[name]["caught"]) or "nobody"
        print(f"| `{name}` | {mutants[name]} | {caught} |")


main()
