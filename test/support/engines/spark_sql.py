"""Spark with Delta Lake, on one machine. The job names the archives of Delta Lake."""

import json
import sys

import pyspark
from pyspark.sql import SparkSession

import common

OWN = {"micros": "unix_micros({c})", "elements": "size({c})"}
AS_TEXT = {"instant": "cast(unix_micros({c}) as string)", "binary": "hex({c})", "texts": "array_join({c}, '|')"}

with open(sys.argv[1], encoding="utf-8") as file:
    job = json.load(file)

spark = (
    SparkSession.builder.master("local[2]")
    .config("spark.jars", ",".join(job["jars"]))
    .config("spark.sql.extensions", "io.delta.sql.DeltaSparkSessionExtension")
    .config("spark.sql.catalog.spark_catalog", "org.apache.spark.sql.delta.catalog.DeltaCatalog")
    # Small tables take a hundred times as long with the usual 50 and 200.
    .config("spark.databricks.delta.snapshotPartitions", "2")
    .config("spark.sql.shuffle.partitions", "2")
    .config("spark.sql.warehouse.dir", job["scratch"])
    .config("spark.ui.enabled", "false")
    .config("spark.driver.bindAddress", "127.0.0.1")
    .config("spark.driver.host", "127.0.0.1")
    .config("spark.driver.memory", "2g")
    # What instants are does not depend on it; a view that did would show it.
    .config("spark.sql.session.timeZone", "Pacific/Auckland")
    .getOrCreate()
)
spark.sparkContext.setLogLevel("ERROR")


def ask(statement):
    return [tuple(row) for row in spark.sql(statement).collect()]


def ask_table(table, version=None):
    at = "" if version is None else f" version as of {version}"
    return common.ask_sql(ask, f"delta.`{table['path']}`{at}", table, OWN, quote="`")


def dump_views(views, attempt):
    for statement in common.statements(views["script"]):
        spark.sql(statement)
    for name, columns in views["columns"].items():
        texts = [AS_TEXT.get(kind, "cast({c} as string)").format(c=f"`{column}`") for column, kind in columns.items()]
        statement = f"select {', '.join(texts)} from `{views['schema']}`.`{name}`"
        attempt(name, lambda name=name, statement=statement: common.dump(views, name, ask(statement)))


common.run(ask_table, pyspark.__version__, ask_table, dump_views)
spark.stop()
