/*
 * The 20 pitfalls of E2B's API (e2b.md 11), each with the tests that hold it: of a unit test program (it must be
 * there and pass), of a file of node tests (it must be there; its group runs it), or a case of the corpus (it
 * must be diagnosed as it is labelled).
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { before, test } from 'node:test';
import { BUILD, PROGRAMS, ROOT, runProgram } from '../lib/stack.mjs';

const CASES = [process.env.CASEBOOK_SHARED && path.join(process.env.CASEBOOK_SHARED, 'corpus/cases'),
    path.join(ROOT, 'tests/corpus/cases')].filter(Boolean);

const unit = (program, ...names) => names.map((name) => ({ kind: 'unit', program: `test_${program}`, name }));
const node = (file, ...names) => names.map((name) => ({ kind: 'node', file: `tests/${file}`, name }));
const corpus = (...names) => names.map((name) => ({ kind: 'corpus', name }));

const PITFALLS = [
    [1, 'units differ by call', unit('pitfalls', 'units_differ_by_call'),
        unit('e2b_client', 'metrics_send_both_bounds_or_neither'), unit('e2b_logs', 'v2_is_asked_forward_by_cursor')],
    [2, 'RFC 3339 with any number of digits, Z or an offset', unit('base_time', 'test_parse_forms', 'test_parse_refuses')],
    [3, 'end_time in logs has another format', unit('pitfalls', 'end_time_in_logs_has_another_form'),
        unit('model_timeline', 'test_deadline_history')],
    [4, 'floats and exponents', unit('pitfalls', 'numbers_in_fields_may_have_an_exponent'),
        unit('base_core', 'test_parse_f64'), unit('process', 'numbers_that_are_none_are_not_told')],
    [5, 'clocks disagree', unit('model_timeline', 'test_clocks_that_disagree'),
        unit('model_record', 'test_no_duration_is_negative')],
    [6, 'endAt before startedAt', unit('pitfalls', 'an_end_may_come_before_its_start'),
        unit('model_timeline', 'test_end_of_a_paused_one_is_no_deadline')],
    [7, 'omitted, empty, null and unknown members',
        unit('model_sandbox', 'test_sandbox_omitted_null_and_unknown', 'test_event_without_data',
            'test_event_unknown_type_and_bad_ones', 'test_metric_large_and_missing', 'test_log_fields_null_and_levels'),
        node('panels/states.test.mjs', 'self-hosted: fields that an old server does not have')],
    [8, 'sandboxID, sandboxId and sandbox_id; logs in two forms',
        unit('model_sandbox', 'test_event_camel_case', 'test_event_snake_case', 'test_log_entry', 'test_log_only_raw_line')],
    [9, 'text of customers is hostile', unit('model_sandbox', 'test_tags_are_bounded_and_cleaned', 'test_log_message_is_cut'),
        unit('base_text', 'test_utf8_is_strict', 'test_clean_controls', 'test_clean_escape_sequences'),
        unit('view_tpl', 'test_poison_in_every_fixture')],
    [10, 'secrets are dropped on reading', unit('model_sandbox', 'test_sandbox_never_keeps_secrets'),
        unit('e2b_client', 'get_reads_a_sandbox_and_no_secret')],
    [11, 'a 404, and an empty list, do not tell why', unit('model_timeline', 'test_lost_end_and_gone'),
        unit('e2b_client', 'no_samples_is_no_failure'),
        node('panels/panels.test.mjs', 'an id nobody knows is called unknown only when everybody has answered')],
    [12, 'self-hosted and older servers lack routes and fields',
        unit('e2b_client', 'a_missing_events_route_is_told_from_a_missing_sandbox', 'an_old_server_is_asked_the_old_way'),
        unit('e2b_logs', 'a_missing_v2_route_is_learnt_once'), unit('model_timeline', 'test_old_server_says_killed_at_every_end'),
        node('panels/states.test.mjs', 'self-hosted: a sandbox that died is told from sightings and logs')],
    [13, 'no metrics storage is not 0 %', unit('chart', 'test_none'),
        node('panels/states.test.mjs', 'self-hosted: without metrics storage the charts say so, and nothing is zero')],
    [14, 'error bodies that are not JSON', unit('e2b_parse', 'errors_speak_in_the_services_words'),
        unit('e2b_client', 'each_refusal_is_told_apart'), unit('sys_http', 'json_is_told_by_its_type')],
    [15, 'data comes late', unit('model_timeline', 'test_resumed_event_is_late', 'test_paused_event_is_lost'),
        unit('view_sandbox', 'test_messages')],
    [16, 'the list filter is encoded three times', unit('e2b_parse', 'the_filter_is_encoded_three_times'),
        node('contract/e2b.test.mjs', 'list: the filter is encoded three times (2.2)')],
    [17, 'both states are asked for', unit('e2b_client', 'list_reads_all_pages_with_the_same_filter')],
    [18, 'one sandbox serves several tickets; a fork inherits metadata', unit('model_timeline', 'test_fork_begins_with_resumed'),
        node('panels/states.test.mjs', 'one sandbox under two tickets')],
    [19, 'slow is not dead', unit('pitfalls', 'a_recovered_health_check_is_no_death'), corpus('059-fine-agent-recovers')],
    [20, 'exit code 137 alone is not out of memory',
        corpus('058-unclear-sigkill-without-metrics', '054-fine-memory-warnings-but-finished')],
].map(([number, title, ...tests]) => ({ number, title, tests: tests.flat() }));

const results = new Map(); // program -> { name: passed }

async function runUnit(program) {
    const file = path.join(BUILD, 'tests/unit', program);
    assert.ok(fs.existsSync(file), `there is no ${program} in the build`);
    const run = await runProgram(file, [], { env: { CMOCKA_MESSAGE_OUTPUT: 'TAP', srcdir: ROOT } });
    return Object.fromEntries([...run.stdout.matchAll(/^(not )?ok \d+ - (\w+)/gm)].map(([, not, name]) => [name, !not]));
}

function fileOf(name) {
    const file = CASES.map((folder) => path.join(folder, `${name}.json`)).find((f) => fs.existsSync(f));
    assert.ok(file, `there is no case ${name}`);
    return file;
}

const CHECKS = {
    async unit({ program, name }) {
        if (!results.has(program)) results.set(program, await runUnit(program));
        const passed = results.get(program)[name];
        assert.notEqual(passed, undefined, `${program} has no test ${name}`);
        assert.ok(passed, `${program}: ${name} fails`);
    },
    async node({ file, name }) {
        const text = fs.readFileSync(path.join(ROOT, file), 'utf8');
        assert.ok(['\'', '"', '`'].some((q) => text.includes(`test(${q}${name}${q}`)), `${file} has no test "${name}"`);
    },
    async corpus({ name }) {
        const file = fileOf(name);
        const wanted = JSON.parse(fs.readFileSync(file, 'utf8')).expect.class;
        const run = await runProgram(PROGRAMS.tool, ['diagnose', file]);
        assert.equal(run.status, 0, run.stderr);
        assert.equal(JSON.parse(run.stdout).class, wanted, name);
    },
};

before(() => assert.deepEqual(PITFALLS.map((p) => p.number), Array.from({ length: 20 }, (_, i) => i + 1)));

for (const { number, title, tests } of PITFALLS)
    test(`pitfall ${number}: ${title}`, async () => {
        assert.notEqual(tests.length, 0);
        for (const one of tests) await CHECKS[one.kind](one);
    });

test('the list is as long as that of the API facts', { skip: !process.env.CASEBOOK_SHARED && 'the API facts are not here' }, () => {
    const text = fs.readFileSync(path.join(process.env.CASEBOOK_SHARED, 'apis/e2b.md'), 'utf8');
    const section = text.match(/\n## 11\. Pitfalls\n([\s\S]*?)\n## /)[1];
    const listed = [...section.matchAll(/^(\d+)\. /gm)].map((m) => Number(m[1]));
    assert.deepEqual(listed, PITFALLS.map((p) => p.number));
});
