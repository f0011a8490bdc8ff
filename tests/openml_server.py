"""A server on this machine that speaks the part of OpenML's protocol that is used, rules included.

It enforces limits like OpenML's own, made small; does not escape names; lists what two engines
evaluated twice; cuts long lists of folds off; shuffles the folds of some runs; and fails in the
ways that were seen, when it is told to. Every request is counted.
"""

import gzip
import json
import math
import socket
import struct
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from hashlib import md5
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import Random
from types import MappingProxyType
from typing import Literal, TypeAlias, get_args

Fault: TypeAlias = Literal["html", "xhtml", "429", "107", "reset", "short", "truncated", "silence"]
FAULTS: tuple[Fault, ...] = get_args(Fault)
PASSING: tuple[Fault, ...] = tuple(fault for fault in FAULTS if fault != "silence")
"""Faults that need no patience."""

OML = 'xmlns:oml="http://openml.org/openml"'
FUNCTION = "area_under_roc_curve"
ROOT = "/api/v1/xml/"
XHTML = (
    '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>502</title>'
    "</head><body><p>Bad gateway</p></body></html>"
)


@dataclass(frozen=True, slots=True)
class Task:
    data_id: int
    name: str
    classes: int = 2
    instances: int = 500
    features: int = 20


@dataclass(frozen=True, slots=True)
class Run:
    task: int
    flow: int
    setup: int
    values: tuple[float, ...]
    uploader: int = 1

    @property
    def mean(self) -> float:
        return round(sum(self.values) / len(self.values), 6)


@dataclass(frozen=True, slots=True)
class Data:
    """A data set: what is said of it, and its files.

    Attributes
    ----------
    arff : its rows.
    columns : names and types, as the list of features has them.
    target, ignored, row_id : as it is described; the target may be unknown.
    parquet : the same rows, where the server has them.
    checksum : of the ARFF file, if it is not the true one.
    """

    name: str
    arff: str
    columns: Mapping[str, str]
    target: str | None = None
    ignored: str | None = None
    row_id: str | None = None
    parquet: bytes | None = None
    checksum: str | None = None


@dataclass(slots=True)
class World:
    """What a server knows.

    Attributes
    ----------
    shuffled : runs whose folds are listed in another order.
    cut : runs whose list of folds is cut off.
    doubled : runs that two engines evaluated.
    function : by what runs were evaluated.
    data : data sets that can be had, by their ids.
    """

    tasks: dict[int, Task]
    flows: dict[int, str]
    runs: dict[int, Run]
    suite: int = 99
    alias: str = "OpenML-CC18"
    shuffled: frozenset[int] = frozenset()
    cut: frozenset[int] = frozenset()
    doubled: frozenset[int] = frozenset()
    function: str = FUNCTION
    data: Mapping[int, Data] = field(default_factory=dict)

    def listed(self, number: int) -> list[float]:
        """The values of a run as lists of evaluations have them."""
        values = list(self.runs[number].values)
        return values[::-1] if number in self.shuffled else values


def small_world() -> World:
    """Four tasks, five flows, one or two runs of each, ten folds; one cell is empty."""
    tasks = {
        3: Task(31, "kr-vs-kp", 2, 3196, 37),
        11: Task(37, "balance-scale", 3, 625, 5),
        31: Task(39, "credit-g", 2, 1000, 21),
        37: Task(41, "diabetes", 2, 768, 9),
    }
    flows = {
        101: "weka.J48(1)",
        102: "weka.RandomForest(2)",
        103: "sklearn.svm.classes.SVC(3)",
        104: "mlr.classif.ranger(4)",
        105: "my.Own<T>&Net(5)",
    }
    random, runs = Random(22), dict[int, Run]()
    for task in tasks:
        for place, flow in enumerate(flows):
            if (task, flow) == (37, 105):
                continue
            for setup in range(1 + (flow % 2)):
                skill = 0.75 + 0.03 * place + 0.01 * setup
                values = tuple(round(min(random.gauss(skill, 0.03), 1.0), 6) for _ in range(10))
                number = 1000 + len(runs)
                runs[number] = Run(task, flow, 10 * flow + setup, values, 1 + number % 3)
    return World(tasks, flows, runs)


LEARNERS = {
    "weka.J48": 9,
    "weka.REPTree": 4,
    "sklearn.tree.tree.DecisionTreeClassifier": 4,
    "weka.AdaBoostM1_J48": 7,
    "sklearn.ensemble.weight_boosting.AdaBoostClassifier": 5,
    "weka.SMO_PolyKernel": 6,
    "mlr.classif.svm": 8,
    "sklearn.svm.classes.SVC": 4,
    "weka.Bagging_REPTree": 9,
    "weka.JRip": 6,
    "weka.RandomForest": 3,
    "mlr.classif.ranger": 12,
    "sklearn.ensemble.forest.RandomForestClassifier": 4,
    "weka.NaiveBayes": 5,
    "weka.MultiBoostAB_J48": 3,
    "weka.IBk": 4,
    "classif.kknn": 3,
    "weka.SimpleLogistic": 3,
    "mlr.classif.glmnet": 9,
    "weka.MultilayerPerceptron": 4,
    "weka.LogitBoost_DecisionStump": 3,
    "classif.xgboost": 11,
    "weka.LMT": 3,
    "weka.RotationForest_PrincipalComponents_J48": 5,
    "sklearn.linear_model.stochastic_gradient.SGDClassifier": 2,
    "weka.LWL_DecisionStump": 2,
    "weka.BayesNet_K2": 2,
    "weka.FKC_EigenPro": 1,
    "weka.Stacking_ZeroR": 1,
    "my.Own<T>&Net": 3,
}
"""Learners and how common they are: all 19 classes of the thesis's Table 4.3, and one unknown."""

POPULAR = (0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 1.0, 1.5, 2.0, 3.4)
"""How much likelier than usual a tenth of the flows each has a run on a task."""


def large_world(
    tasks: int,
    flows: int,
    *,
    filled: float,
    folds: int = 10,
    seed: int = 22,
    function: str = FUNCTION,
) -> World:
    """A study with the shape of the thesis's.

    Most flows are on few tasks, the first on all; algorithms differ more on some tasks than
    on others; scores bend towards 1; and a flow in forty has a bad fold now and then.
    """
    random = Random(seed)
    common = [name for name, weight in LEARNERS.items() for _ in range(weight)]
    kinds = ["weka.NaiveBayes", *random.choices(common, k=flows - 1)]
    names = {4000 + k: f"{kind}({k + 1})" for k, kind in enumerate(kinds)}
    usual = {kind: random.gauss(0.0, 0.8) for kind in LEARNERS}
    skills = {
        flow: usual[kind] + random.gauss(0.0, 0.9) for flow, kind in zip(names, kinds, strict=True)
    }
    popular = dict(zip(names, random.choices(POPULAR, k=flows), strict=True))
    known = {
        10 + k: Task(500 + k, f"data-{k}", 2 + (k % 4 == 3) * (k % 7), 500 + 40 * k, 5 + k)
        for k in range(tasks)
    }
    runs: dict[int, Run] = {}
    for place, task in enumerate(known):
        level, width = random.uniform(0.0, 2.5), random.choice((0.05, 0.15, 0.4, 0.8))
        noise = width * random.uniform(0.3, 1.5)
        for k, flow in enumerate(names):
            if k and k % tasks != place and random.random() > filled * popular[flow]:
                continue
            for setup in range(1 + (random.random() < 0.1)):
                true = level + width * (skills[flow] + 0.5 * random.gauss(0.0, 1.0))
                values = tuple(
                    _score(random, true, noise, unstable=k % 40 == 7) for _ in range(folds)
                )
                number = 10000 + 3 * len(runs) + place % 3
                runs[number] = Run(task, flow, 7 * flow + setup, values, 1 + number % 5)
    return World(known, names, runs, function=function)


def _score(random: Random, level: float, noise: float, *, unstable: bool) -> float:
    """A score between a half and 1, as areas under ROC curves are."""
    bad = 12.0 * noise if unstable and random.random() < 0.2 else 0.0
    noisy = level - bad + noise * random.gauss(0.0, 1.0)
    return round(0.5 + 0.5 / (1.0 + math.exp(-noisy)), 6)


@dataclass(slots=True)
class Server:
    """A running server.

    Attributes
    ----------
    asked : paths of all requests, in the order in which they came.
    fail : the fault of the n-th request (from 0 on), if any.
    page_limit, fold_limit : how many rows may be listed at once, and how many runs by fold.
    delay : seconds that every answer takes.
    retry_after : what answers of status 429 say.
    """

    world: World
    page_limit: int = 10000
    fold_limit: int = 10000
    delay: float = 0.0
    retry_after: str = "0"
    fail: Callable[[int], Fault | None] = lambda _: None
    asked: list[str] = field(default_factory=list)
    url: str = ""
    over: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)


@contextmanager
def serving(server: Server) -> Iterator[Server]:
    """The server at work, on a port that is free."""
    http = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, server))
    http.daemon_threads = True
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    server.url = f"http://127.0.0.1:{http.server_address[1]}{ROOT}"
    try:
        yield server
    finally:
        server.over.set()
        http.shutdown()
        thread.join()
        http.server_close()


class Refused(Exception):
    """An error of OpenML, with its code."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class Handler(BaseHTTPRequestHandler):
    """Answers one request."""

    protocol_version = "HTTP/1.0"

    def __init__(self, server: Server, *args: object) -> None:
        self.study = server
        super().__init__(*args)  # type: ignore[arg-type]

    def log_message(self, format: str, *args: object) -> None:
        """Nobody reads it."""

    def do_HEAD(self) -> None:
        """What the client asks of a Parquet file before it takes it."""
        self._send_file(self.path.partition("?")[0])

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        with self.study.lock:
            number = len(self.study.asked)
            self.study.asked.append(path)
        self.study.over.wait(self.study.delay)
        fault = self.study.fail(number)
        if fault is None and path.endswith(".pq"):
            self._send_file(path)
        elif fault is None:
            self._reply(*self._answer(path))
        else:
            self._fail(fault, path)

    def _send_file(self, path: str) -> None:
        """A file of a bucket, as it is."""
        content = self.study.world.data[int(path.split("/")[-2])].parquet or b""
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("ETag", '"0"')
        self.send_header("Last-Modified", "Wed, 01 Jan 2020 00:00:00 GMT")
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(content)

    def _answer(self, path: str) -> tuple[int, str]:
        if len(path) > 4096:
            return 414, "too long"
        try:
            return 200, answer(self.study, path.removeprefix(ROOT))
        except Refused as error:
            return 412, _error(error.code, str(error))

    def _fail(self, fault: Fault, path: str) -> None:
        if fault == "silence":
            self.study.over.wait(60.0)
        elif fault == "reset":
            linger = struct.pack("ii", 1, 0)
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        elif fault == "html":
            self._reply(503, "<html><body><br>Service unavailable</body>")
        elif fault == "xhtml":
            self._reply(502, XHTML)
        elif fault == "429":
            self._reply(429, "slow down", headers={"Retry-After": self.study.retry_after})
        elif fault == "107":
            self._reply(412, _error(107, "Database connection error"))
        elif fault == "truncated":
            status, text = self._answer(path)
            self._reply(200, text[: len(text) * 2 // 3])
        else:
            status, text = self._answer(path)
            self._reply(status, text, short=True)

    def _reply(
        self,
        status: int,
        text: str,
        *,
        short: bool = False,
        headers: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        body = gzip.compress(text.encode())
        self.send_response(status)
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body[: len(body) // 2] if short else body)


# What it answers ----------------------------------------------------------------------------------


def answer(server: Server, path: str) -> str:
    """The XML for a path; raises `Refused`."""
    parts = path.split("/")
    world = server.world
    match parts:
        case ["study", name]:
            return _suite(world, name)
        case ["evaluation", "list", *filters]:
            return _evaluations(server, _filters(filters))
        case ["task", "list", *filters]:
            return _task_list(world, _filters(filters))
        case ["user", "list", "user_id", numbers]:
            users = "".join(
                f"<oml:user><oml:id>{number}</oml:id><oml:username>user{number}</oml:username>"
                "</oml:user>"
                for number in numbers.split(",")
            )
            return f"<oml:users {OML}>{users}</oml:users>"
        case ["estimationprocedure", "list"]:
            listed = "".join(
                f"<oml:estimationprocedure><oml:id>{number}</oml:id><oml:ttid>1</oml:ttid>"
                f"<oml:name>{number}0-fold</oml:name><oml:type>crossvalidation</oml:type>"
                "</oml:estimationprocedure>"
                for number in (1, 2)
            )
            return f"<oml:estimationprocedures {OML}>{listed}</oml:estimationprocedures>"
        case ["evaluationmeasure", "list"]:
            names = (FUNCTION, "predictive_accuracy", "area_under_prc")
            listed = "".join(f"<oml:measure>{name}</oml:measure>" for name in names)
            return (
                f"<oml:evaluation_measures {OML}><oml:measures>{listed}</oml:measures>"
                "</oml:evaluation_measures>"
            )
        case ["run", number]:
            return _run(world, int(number))
        case ["data", number]:
            return _describe_data(server, int(number))
        case ["data", "features", number]:
            return _features(world.data[int(number)])
        case ["", "files", number, "data.arff"]:
            return world.data[int(number)].arff
    raise Refused(100, "Function not valid")


def _describe_data(server: Server, number: int) -> str:
    if number not in server.world.data:
        raise Refused(111, "Unknown dataset")
    data, root = server.world.data[number], server.url.removesuffix(ROOT)
    given = {
        "id": str(number),
        "name": data.name,
        "version": "1",
        "description": "rows",
        "format": "ARFF",
        "url": f"{root}/files/{number}/data.arff",
        "parquet_url": f"{root}/files/{number}/data.pq" if data.parquet else None,
        "default_target_attribute": data.target,
        "ignore_attribute": data.ignored,
        "row_id_attribute": data.row_id,
        "visibility": "public",
        "status": "active",
        "md5_checksum": data.checksum or md5(data.arff.encode()).hexdigest(),
    }
    parts = (f"<oml:{key}>{it}</oml:{key}>" for key, it in given.items() if it is not None)
    return f"<oml:data_set_description {OML}>{''.join(parts)}</oml:data_set_description>"


def _features(data: Data) -> str:
    listed = "".join(
        f"<oml:feature><oml:index>{place}</oml:index><oml:name>{name}</oml:name>"
        f"<oml:data_type>{kind}</oml:data_type>"
        f"<oml:is_target>{str(name == data.target).lower()}</oml:is_target>"
        f"<oml:is_ignore>{str(name == data.ignored).lower()}</oml:is_ignore>"
        f"<oml:is_row_identifier>{str(name == data.row_id).lower()}</oml:is_row_identifier>"
        "<oml:number_of_missing_values>0</oml:number_of_missing_values></oml:feature>"
        for place, (name, kind) in enumerate(data.columns.items())
    )
    return f"<oml:data_features {OML}>{listed}</oml:data_features>"


def _filters(parts: list[str]) -> dict[str, str]:
    return dict(zip(parts[::2], parts[1::2], strict=True))


def _suite(world: World, name: str) -> str:
    if name not in (str(world.suite), world.alias):
        raise Refused(601, "Unknown study")
    data = "".join(f"<oml:data_id>{task.data_id}</oml:data_id>" for task in world.tasks.values())
    tasks = "".join(f"<oml:task_id>{task}</oml:task_id>" for task in world.tasks)
    return (
        f"<oml:study {OML}><oml:id>{world.suite}</oml:id><oml:alias>{world.alias}</oml:alias>"
        f"<oml:main_entity_type>task</oml:main_entity_type><oml:name>{world.alias}</oml:name>"
        "<oml:description>tasks</oml:description><oml:status>active</oml:status>"
        "<oml:creation_date>2019-01-01</oml:creation_date><oml:creator>1</oml:creator>"
        f"<oml:data>{data}</oml:data><oml:tasks>{tasks}</oml:tasks></oml:study>"
    )


def _task_list(world: World, filters: dict[str, str]) -> str:
    only = filters.get("task_id")
    data = filters.get("data_id")
    wanted = {
        number: task
        for number, task in world.tasks.items()
        if (only is None or str(number) in only.split(","))
        and (data is None or str(task.data_id) == data)
    }
    if not wanted or int(filters["offset"]):
        raise Refused(482, "No results")
    listed = "".join(
        f"<oml:task><oml:task_id>{number}</oml:task_id><oml:task_type_id>1</oml:task_type_id>"
        f"<oml:task_type>Supervised Classification</oml:task_type><oml:did>{task.data_id}</oml:did>"
        f"<oml:name>{task.name}</oml:name><oml:status>active</oml:status>"
        '<oml:input name="estimation_procedure">1</oml:input>'
        f'<oml:quality name="NumberOfClasses">{task.classes}.0</oml:quality>'
        f'<oml:quality name="NumberOfFeatures">{task.features}.0</oml:quality>'
        f'<oml:quality name="NumberOfInstances">{task.instances}.0</oml:quality></oml:task>'
        for number, task in wanted.items()
    )
    return f"<oml:tasks {OML}>{listed}</oml:tasks>"


def _evaluations(server: Server, filters: dict[str, str]) -> str:
    world, per_fold = server.world, filters.get("per_fold") == "true"
    limit, offset = int(filters["limit"]), int(filters["offset"])
    if limit > server.page_limit:
        raise Refused(546, "Illegal limit")
    tasks, runs = filters.get("task"), filters.get("run")
    numbers = [
        number
        for number, run in sorted(world.runs.items())
        if (tasks is None or str(run.task) in tasks.split(","))
        and (runs is None or str(number) in runs.split(","))
    ]
    if per_fold and len(numbers) > server.fold_limit:
        raise Refused(548, "Too many results for per fold")
    rows = [number for number in numbers for _ in range(1 + (number in world.doubled))]
    shown = rows[offset : offset + limit] if filters["function"] == world.function else []
    if not shown:
        raise Refused(542, "No results")
    listed = "".join(_evaluation(world, number, per_fold=per_fold) for number in shown)
    return f"<oml:evaluations {OML}>{listed}</oml:evaluations>"


def _evaluation(world: World, number: int, *, per_fold: bool) -> str:
    run = world.runs[number]
    task = world.tasks[run.task]
    values = json.dumps(world.listed(number))
    text = values[: len(values) // 2] if number in world.cut else values
    score = f"<oml:values>{text}</oml:values>" if per_fold else f"<oml:value>{run.mean}</oml:value>"
    return (
        f"<oml:evaluation><oml:run_id>{number}</oml:run_id><oml:task_id>{run.task}</oml:task_id>"
        f"<oml:setup_id>{run.setup}</oml:setup_id><oml:flow_id>{run.flow}</oml:flow_id>"
        f"<oml:flow_name>{world.flows[run.flow]}</oml:flow_name>"
        f"<oml:data_id>{task.data_id}</oml:data_id><oml:data_name>{task.name}</oml:data_name>"
        f"<oml:function>{world.function}</oml:function>"
        f"<oml:upload_time>2020-01-01 00:00:{number % 60:02}</oml:upload_time>"
        f"<oml:uploader>{run.uploader}</oml:uploader>{score}</oml:evaluation>"
    )


def _run(world: World, number: int) -> str:
    if number not in world.runs:
        raise Refused(236, "Run not found")
    run = world.runs[number]
    folds = "".join(
        f'<oml:evaluation repeat="0" fold="{fold}"><oml:name>{world.function}</oml:name>'
        f"<oml:value>{value}</oml:value></oml:evaluation>"
        for fold, value in enumerate(run.values)
    )
    files = "".join(
        f"<oml:file><oml:did>-1</oml:did><oml:file_id>{place}</oml:file_id><oml:name>{name}"
        f"</oml:name><oml:url>http://localhost/{name}</oml:url></oml:file>"
        for place, name in enumerate(("description", "predictions"))
    )
    return (
        f"<oml:run {OML}><oml:run_id>{number}</oml:run_id><oml:uploader>{run.uploader}"
        f"</oml:uploader><oml:uploader_name>user</oml:uploader_name><oml:task_id>{run.task}"
        "</oml:task_id><oml:task_type>Supervised Classification</oml:task_type>"
        f"<oml:flow_id>{run.flow}</oml:flow_id><oml:flow_name>{world.flows[run.flow]}"
        f"</oml:flow_name><oml:setup_id>{run.setup}</oml:setup_id><oml:setup_string>x"
        "</oml:setup_string><oml:input_data><oml:dataset>"
        f"<oml:did>{world.tasks[run.task].data_id}</oml:did></oml:dataset></oml:input_data>"
        f"<oml:output_data>{files}{folds}</oml:output_data></oml:run>"
    )


def _error(code: int, message: str) -> str:
    return (
        f"<oml:error {OML}><oml:code>{code}</oml:code><oml:message>{message}</oml:message>"
        "</oml:error>"
    )
