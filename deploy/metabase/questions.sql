-- Questions for Metabase: New, SQL query. Make first and last variables of the type Date.

-- USD by day and network
SELECT day, network, sum(usd) AS usd
FROM daily_earnings
WHERE day BETWEEN CAST({{first}} AS DATE) AND CAST({{last}} AS DATE)
GROUP BY day, network
ORDER BY day, network;

-- Owners with the highest pay
SELECT owner, token, count(DISTINCT hotspot) AS hotspots, sum(formatted) AS tokens, sum(usd) AS usd
FROM earnings
WHERE day BETWEEN CAST({{first}} AS DATE) AND CAST({{last}} AS DATE) AND owner IS NOT NULL
GROUP BY owner, token
ORDER BY usd DESC NULLS LAST
LIMIT 20;

-- Pay of a hotspot by day
SELECT day, token, sum(formatted) AS tokens
FROM earnings
WHERE day BETWEEN CAST({{first}} AS DATE) AND CAST({{last}} AS DATE) AND name = {{name}}
GROUP BY day, token
ORDER BY day;

-- Days that lack data
SELECT day, network, state, files_missing
FROM days
WHERE state <> 'complete' AND day BETWEEN CAST({{first}} AS DATE) AND CAST({{last}} AS DATE)
ORDER BY day, network;
