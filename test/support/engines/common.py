"""What the programs of all engines share: a job is read, values become text, results are written.

A job is a JSON file: `tables` by name, each with `path`, `columns` (name -> kind), `partition` (a column or null) and
`older` (a version or null); `views` with the statements that make them and the columns of each. Kinds are integer, decimal,
text, instant, boolean, binary and texts. A result has `version`, `tables` and `older`, each with measures by their names,
and `errors` by table. Usage: python ENGINE.py JOB RESULT
"""

import decimal
import json
import sys
import traceback

decimal.getcontext().prec = 200

# What is measured of a column of a kind: the name, and the template for an expression of SQL.
MEASURES = {
    "integer": {"sum": "sum(cast({c} as decimal(38,0)))"},
    "decimal": {"sum": "sum({c})"},
    "text": {"octets": "sum(octet_length({c}))", "least": "min({c})", "greatest": "max({c})"},
    "instant": {"least": "min({micros})", "greatest": "max({micros})"},
    "boolean": {"true": "sum(case when {c} then 1 else 0 end)"},
    "binary": {"octets": "sum(octet_length({c}))"},
    "texts": {"elements": "sum({elements})"},
}


def text(value):
    """A value as text: numbers with all digits and no others, null as it is."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, float):
        raise TypeError(f"{value} is a double")
    number = decimal.Decimal(value)
    plain = format(number.normalize(), "f")
    return "0" if plain in ("-0", "0") else plain


def expressions(table, own=None, quote='"'):
    """Name, expression and whether it is text of each measure of a table. `own` has the templates of an engine that differ,
    `micros` and `elements`."""
    own = own or {}
    yield "rows", "count(*)", False
    for name, kind in table["columns"].items():
        c = f"{quote}{name}{quote}"
        yield f"{name} nulls", f"count(*) - count({c})", False
        for measure, template in {**MEASURES[kind], **own.get(kind, {})}.items():
            parts = {key: own[key].format(c=c) for key in ("micros", "elements") if key in own}
            yield f"{name} {measure}", template.format(c=c, **parts), kind == "text" and measure != "octets"


def by_sql(reader, own=None, quote='"'):
    """Measures tables by SQL. `reader` takes a table and a version, and gives `ask`, which gives the rows of a statement, and what
    stands after FROM."""

    def measure(table, version=None):
        ask, source = reader(table, version)
        wanted = list(expressions(table, own, quote))
        (row,) = ask(f"select {', '.join(expression for _, expression, _ in wanted)} from {source}")
        found = {}
        for (name, _, is_text), value in zip(wanted, row, strict=True):
            found[name] = text(value) if is_text or value is None else text(decimal.Decimal(value))
        if table["partition"] is not None:
            c = f"{quote}{table['partition']}{quote}"
            for value, rows in ask(f"select {c}, count(*) from {source} group by {c}"):
                found[f"{table['partition']}={value}"] = text(decimal.Decimal(rows))
        return found

    return measure


def by_frames(column, nulls, measures, table):
    """Name and expression of each measure of the columns of a table, for engines of data frames."""
    for name, kind in table["columns"].items():
        yield f"{name} nulls", nulls(column(name))
        for measure, of in measures[kind].items():
            yield f"{name} {measure}", of(column(name))


def views_by_sql(ask, as_text, source='"{schema}"."{name}"', quote='"', other="cast({c} as varchar)", make=True, edit=None):
    """Makes the views of a job, and dumps each by SQL as text. `edit` takes rows and the kinds of their columns."""

    def dump_views(views, attempt):
        for statement in statements(views["script"]) if make else ():
            ask(statement)
        for name, columns in views["columns"].items():
            texts = [as_text.get(kind, other).format(c=f"{quote}{column}{quote}") for column, kind in columns.items()]
            named = ", ".join(f"{one} as c{place}" for place, one in enumerate(texts))
            statement = f"select {named} from {source.format(schema=views['schema'], name=name)}"

            def rows(statement=statement, kinds=tuple(columns.values())):
                return ask(statement) if edit is None else edit(ask(statement), kinds)

            attempt(name, lambda name=name, rows=rows: dump(views, name, rows()))

    return dump_views


def statements(path):
    """The statements of a file as `ledgerlake views` writes it: each ends with a semicolon and a line break."""
    with open(path, encoding="utf-8") as file:
        lines = [line for line in file if not line.startswith("--")]
    return [one for one in "".join(lines).split(";\n") if one.strip() != ""]


def dump(views, name, rows):
    """Writes the rows of a view, each a line with a list of texts, and gives their number."""
    count = 0
    with open(f"{views['out']}/{name}.ndjson", "w", encoding="utf-8") as file:
        for row in rows:
            count += 1
            file.write(json.dumps(list(row)) + "\n")
    return count


def read_job():
    with open(sys.argv[1], encoding="utf-8") as file:
        return json.load(file)


def run(measure, version, has_versions=True, views=None):
    """Runs an engine over a job. `measure` takes a table, and an older version where there are any; an error of one is told.
    `views` makes the views of a job and attempts to dump each."""
    job = read_job()
    result = {"version": version, "tables": {}, "older": {}, "errors": {}, "views": {}}

    def attempt(part, name, work):
        try:
            result[part][name] = work()
        except Exception as error:  # noqa: BLE001
            result["errors"][f"{name}, {part}"] = str(error).strip().split("\n")[0][:300]
            traceback.print_exc()

    for name, table in job["tables"].items():
        attempt("tables", name, lambda table=table: measure(table))
        if has_versions and table["older"] is not None:
            attempt("older", name, lambda table=table: measure(table, table["older"]))
    if views is not None and job.get("views"):
        views(job["views"], lambda name, work: attempt("views", name, work))
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        json.dump(result, file)
