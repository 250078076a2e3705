// PostgreSQL as the engine of a fleet does what any engine must.
#include "tests/db/postgres/postgres_rig.hpp"
#include "tests/fleet/conformance/engine_cases.hpp"

#include <doctest/doctest.h>

using namespace smsrack;

TEST_CASE("postgres engine: it does what any engine of a fleet must") {
    const test::PostgresServer server({.parent = test::TempDir::memory()});
    for (const test::EngineCase& it : test::engine_cases()) {
        CAPTURE(std::string(it.sentence));
        test::PostgresRig rig(server);
        CHECK_NOTHROW(it.check(rig));
    }
}
