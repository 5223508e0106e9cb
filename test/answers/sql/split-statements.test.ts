import { describe, expect, it } from 'vitest'
import { splitStatements } from '../../../src/answers/sql/split-statements.ts'

describe('a text of statements', () => {
  it.each([
    ['select 1', [], 'select 1'],
    ['select 1;', ['select 1'], ''],
    ['select 1; select 2', ['select 1'], 'select 2'],
    [' ; ;-- nothing\n/* ; */', [], ''],
    ["select ';', ';;' ; x", ["select ';', ';;'"], 'x'],
    ["select 'it''s;' ; x", ["select 'it''s;'"], 'x'],
    ["select E'\\';' ; x", ["select E'\\';'"], 'x'],
    ['select ";" ; x', ['select ";"'], 'x'],
    ['select 1 -- ; \' "\n; x', ['select 1 -- ; \' "'], 'x'],
    ["select 1 /* ; ' */ ; x", ["select 1 /* ; ' */"], 'x'],
    ['select $$;$$, $a$ $$ ; $a$ ; x', ['select $$;$$, $a$ $$ ; $a$'], 'x'],
    ["select 'not over ; yet", [], "select 'not over ; yet"],
    ['select $1 ; x', ['select $1'], 'x'],
  ])('%j is cut at its semicolons', (text, ended, unended) => {
    expect(splitStatements(text)).toEqual({ ended, unended })
  })
})
