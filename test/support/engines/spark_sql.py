"""Spark with Delta Lake, on one machine. The job names the archives of Delta Lake."""

import pyspark
from pyspark.sql import SparkSession

import common

OWN = {"micros": "unix_micros({c})", "elements": "size({c})"}
AS_TEXT = {"instant": "cast(unix_micros({c}) as string)", "binary": "hex({c})", "texts": "array_join({c}, '|')"}

job = common.read_job()
config = {
    "spark.jars": ",".join(job["jars"]),
    "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
    "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
    # Small tables take a hundred times as long with the usual 50 and 200.
    "spark.databricks.delta.snapshotPartitions": "2",
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.warehouse.dir": job["scratch"],
    "spark.ui.enabled": "false",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.memory": "2g",
    # What instants are does not depend on it; a view that did would show it.
    "spark.sql.session.timeZone": "Pacific/Auckland",
}
spark = SparkSession.builder.master("local[2]").config(map=config).getOrCreate()
spark.sparkContext.setLogLevel("ERROR")


def ask(statement):
    return [tuple(row) for row in spark.sql(statement).collect()]


def read(table, version):
    at = "" if version is None else f" version as of {version}"
    return ask, f"delta.`{table['path']}`{at}"


views = common.views_by_sql(ask, AS_TEXT, "`{schema}`.`{name}`", "`", "cast({c} as string)")
common.run(common.by_sql(read, OWN, "`"), pyspark.__version__, views=views)
spark.stop()
