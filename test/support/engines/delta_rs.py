"""delta-rs: its own engine of SQL, `QueryBuilder`."""

import deltalake

import common

OWN = {
    "micros": "arrow_cast({c}, 'Int64')",
    "elements": "array_length({c})",
    "binary": {"octets": "sum(octet_length(encode({c}, 'hex')) / 2)"},
}


def read(table, version):
    import pyarrow

    builder = deltalake.QueryBuilder().register("t", deltalake.DeltaTable(table["path"], version=version))

    def ask(statement):
        answer = pyarrow.table(builder.execute(statement).read_all())
        return [tuple(row.values()) for row in answer.to_pylist()]

    return ask, "t"


if __name__ == "__main__":
    common.run(common.by_sql(read, OWN), deltalake.__version__)
