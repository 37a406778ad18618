/*
 * Places at which a worker is stopped until the test lets it go on: triggers on the tables that a worker writes,
 * which look into a table of the test. A place is one of
 *
 *     in STATE     it renews its lease: the stage that starts from STATE is about to begin, the one before committed
 *     to STATE     it stores what the stage made and enters STATE: the effect is done, nothing is committed
 *     note STATE   it stores what became of the note
 *
 * A worker that is stopped waits for a lock that the test holds. Each stop is for one investigation. The table
 * `arrival` is read uncommitted: a row is there as long as its transaction may still come to an end.
 */
import { Session } from './session.mjs';

/* Less than the product waits for an answer of MariaDB. */
const PATIENCE_S = 25;
/* What makes the test's transaction the heavier one, so that the worker is the one that loses a deadlock. */
const WEIGHT = 2000;

const SETUP = `
CREATE DATABASE matrix;
CREATE TABLE matrix.stop (inv BIGINT NOT NULL, place VARCHAR(20) NOT NULL, narrow BOOLEAN NOT NULL,
    PRIMARY KEY (inv, place)) ENGINE=InnoDB;
CREATE TABLE matrix.arrival (id BIGINT AUTO_INCREMENT PRIMARY KEY, inv BIGINT NOT NULL, place VARCHAR(20) NOT NULL,
    conn BIGINT NOT NULL) ENGINE=InnoDB;
CREATE TABLE matrix.narrow (inv BIGINT PRIMARY KEY, n INT NOT NULL DEFAULT 0) ENGINE=InnoDB;
CREATE TABLE matrix.weight (id INT PRIMARY KEY, n INT NOT NULL) ENGINE=InnoDB SELECT seq AS id, 0 AS n
    FROM seq_1_to_${WEIGHT};
DELIMITER $$
CREATE PROCEDURE matrix.pass(IN an_inv BIGINT, IN a_place VARCHAR(20))
BEGIN
    DECLARE is_narrow BOOLEAN DEFAULT NULL;
    SELECT s.narrow INTO is_narrow FROM matrix.stop AS s WHERE s.inv = an_inv AND s.place = a_place;
    IF is_narrow IS NOT NULL THEN
        INSERT INTO matrix.arrival (inv, place, conn) VALUES (an_inv, a_place, CONNECTION_ID());
        DO GET_LOCK(CONCAT('stop', an_inv), ${PATIENCE_S});
        DO RELEASE_LOCK(CONCAT('stop', an_inv));
        IF is_narrow THEN UPDATE matrix.narrow SET n = n + 1 WHERE inv = an_inv; END IF;
    END IF;
END $$
CREATE TRIGGER casebook.matrix_investigation BEFORE UPDATE ON casebook.investigation FOR EACH ROW
BEGIN
    IF OLD.state <> NEW.state THEN
        CALL matrix.pass(NEW.id, CONCAT('to ', NEW.state));
    ELSEIF NEW.worker <> '' AND NEW.fence = OLD.fence AND NEW.lease_until_us > OLD.lease_until_us THEN
        CALL matrix.pass(NEW.id, CONCAT('in ', NEW.state));
    END IF;
END $$
CREATE TRIGGER casebook.matrix_note BEFORE UPDATE ON casebook.note FOR EACH ROW
BEGIN
    IF OLD.state <> NEW.state THEN CALL matrix.pass(NEW.investigation_id, CONCAT('note ', NEW.state)); END IF;
END $$
DELIMITER ;
SELECT 1`;

export class Stops {
    constructor(socket) {
        this.socket = socket;
        this.seen = new Set();
    }

    async begin({ fresh = true } = {}) {
        this.look = new Session(this.socket);   /* looks at all that is there, committed or not */
        this.holder = new Session(this.socket); /* holds the locks by name */
        this.loser = new Session(this.socket);  /* makes deadlocks */
        this.waiter = new Session(this.socket); /* keeps rows, so that others wait in vain */
        if (fresh) {
            await this.look.query(SETUP);
            if (/ERROR/.test(this.look.errors)) throw new Error(this.look.errors);
        }
        await this.look.query('SET SESSION tx_isolation = \'READ-UNCOMMITTED\'');
        await this.loser.query('SET SESSION tx_isolation = \'READ-COMMITTED\', SESSION innodb_lock_wait_timeout = 60');
        await this.waiter.query('SET SESSION tx_isolation = \'READ-COMMITTED\'; START TRANSACTION');
    }

    async end() {
        for (const session of [this.look, this.holder, this.loser, this.waiter]) await session?.end();
    }

    /* narrow: behind the stop it needs a row that the test may keep. */
    async set(inv, place, { narrow = false } = {}) {
        await this.holder.query(`DO GET_LOCK('stop${inv}', 0)`);
        await this.look.query(`REPLACE INTO matrix.stop VALUES (${inv}, '${place}', ${narrow});
            INSERT IGNORE INTO matrix.narrow (inv) VALUES (${inv})`);
    }

    /* The next one that comes to the place passes. */
    async lift(inv, place) {
        await this.look.query(`DELETE FROM matrix.stop WHERE inv = ${inv} AND place = '${place}'`);
    }

    release(inv) {
        return this.holder.query(`DO RELEASE_LOCK('stop${inv}')`);
    }

    /* Who came to a stop since this was asked last: { inv, place, conn }. */
    async arrivals() {
        const rows = await this.look.query('SELECT id, inv, place, conn FROM matrix.arrival');
        return rows.filter((row) => !this.seen.has(row.join()))
            .map((row) => (this.seen.add(row.join()), { inv: Number(row[1]), place: row[2], conn: Number(row[3]) }));
    }

    /* Its connection is cut by the server: what was not committed is undone. */
    cut(conn) {
        return this.look.query(`KILL CONNECTION ${conn}`);
    }

    /* A real deadlock between the one that is stopped and this, which that one loses. */
    async deadlock(inv) {
        await this.loser.query(`START TRANSACTION; UPDATE matrix.weight SET n = n + 1;
            SELECT 1 FROM matrix.narrow WHERE inv = ${inv} FOR UPDATE`);
        await this.release(inv);
        await this.loser.query(`SELECT 1 FROM casebook.investigation WHERE id = ${inv} FOR UPDATE; ROLLBACK`);
    }

    /* It waits for a row as long as its patience goes. */
    async waitInVain(inv) {
        await this.waiter.query(`SELECT 1 FROM matrix.narrow WHERE inv = ${inv} FOR UPDATE`);
        await this.release(inv);
    }
}
