// Tokens that were revoked by a call, and their last use, as the service keeps them.
#include "firmware-host/token_state.hpp"

#include "firmware-host/process/system_clock.hpp"
#include "src/access/revoked_tokens.hpp"
#include "src/base/time_text.hpp"
#include "tests/support/manual_executor.hpp"
#include "tests/support/quiet_log.hpp"
#include "tests/support/read_file.hpp"
#include "tests/support/temp_dir.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

/// One run of the service.
struct StateRig {
    explicit StateRig(const std::filesystem::path& folder)
        : tokens((folder / "tokens").string(), {loop, clock, log}, [this] { ++changes; }),
          state((folder / "state").string(), (folder / "run/smsrack.sock").string(),
                {tokens, loop, files, log}) {}

    /// The answer of an order, once its files are written.
    std::optional<Result<>> revoke(const std::string& name) {
        std::optional<Result<>> answer;
        state.revoke(name, [&](Result<> revoked) {
            answer = std::move(revoked);
            loop.stop();
        });
        if (!answer) {
            files.run_all();
            loop.run();
        }
        return answer;
    }
    [[nodiscard]] bool counts(const std::string& name) const {
        return tokens.book().find(access::token_hash(name), clock.wall()) != nullptr;
    }

    net::Loop loop;
    host::SystemClock clock;
    test::QuietLog log;
    test::ManualExecutor files;
    int changes = 0;
    host::TokensFile tokens;
    host::TokenState state;
};

struct Folders {
    Folders() {
        for (const char* const name : {"state", "run"}) {
            std::filesystem::create_directory(folder.path() / name);
        }
        std::ofstream file(folder.path() / "tokens");
        for (const char* const name : {"shop", "eyes"}) {
            file << name << " read " << access::token_hash(name) << " 2026-11-21T02:20:18Z\n";
        }
    }
    test::TempDir folder;
};

}  // namespace

TEST_CASE("TokenState: a token that was revoked counts no more, in this run and the next one") {
    const Folders folders;
    const auto path = folders.folder.path();
    const std::string copy = (path / "run" / access::revoked_name).string();
    {
        StateRig rig(path);
        CHECK(rig.counts("shop"));
        CHECK_FALSE(std::filesystem::exists(copy));
        const auto none = rig.revoke("none");
        REQUIRE(none);
        REQUIRE_FALSE(*none);
        CHECK(none->error().code == Errc::not_found);
        CHECK(rig.changes == 0);
        const auto shop = rig.revoke("shop");
        REQUIRE(shop);
        CHECK(shop->has_value());
        CHECK(rig.changes == 1);
        CHECK_FALSE(rig.counts("shop"));
        CHECK(rig.counts("eyes"));
        CHECK(rig.revoke("shop")->has_value());  // once more changes nothing
        CHECK(test::read_file(copy) == access::token_hash("shop") + "\n");
        const auto rights = std::filesystem::status(copy).permissions();
        CHECK((rights & std::filesystem::perms::others_read) != std::filesystem::perms::none);
        const auto own = std::filesystem::status(path / "state/revoked_tokens").permissions();
        CHECK((own & std::filesystem::perms::others_read) == std::filesystem::perms::none);
    }
    std::filesystem::remove(copy);  // the machine was started again
    const StateRig next(path);
    CHECK_FALSE(next.counts("shop"));
    CHECK(next.counts("eyes"));
    CHECK(test::read_file(copy) == access::token_hash("shop") + "\n");
}

TEST_CASE("TokenState: what can't be kept is said, and still counts for this run") {
    const Folders folders;
    StateRig rig(folders.folder.path());
    std::filesystem::remove(folders.folder.path() / "state");
    const auto answer = rig.revoke("shop");
    REQUIRE(answer);
    REQUIRE_FALSE(*answer);
    CHECK(answer->error().code == Errc::storage);
    CHECK_FALSE(rig.counts("shop"));
}

TEST_CASE("TokenState: where the gate can't be shown it, the token counts no more all the same") {
    const Folders folders;
    StateRig rig(folders.folder.path());
    std::filesystem::remove(folders.folder.path() / "run");
    const auto answer = rig.revoke("shop");
    REQUIRE(answer);
    CHECK(answer->has_value());
    CHECK(rig.log.count("revoked_token_not_shown") == 1);
    CHECK_FALSE(rig.counts("shop"));
}

TEST_CASE("TokenState: the last use of a token outlives the run") {
    const Folders folders;
    const WallTime noon = *time_of("2026-11-21T12:00:00Z");
    {
        StateRig rig(folders.folder.path());
        rig.state.uses().note(access::token_hash("shop"), noon, "192.0.2.1");
        rig.state.stop();
    }
    StateRig next(folders.folder.path());
    const auto use = next.state.uses().of(access::token_hash("shop"));
    REQUIRE(use);
    CHECK(use->at == noon);
    CHECK(use->address == "192.0.2.1");
}

TEST_CASE("TokensFile: the gate takes what was revoked from the service's copy, when it changes") {
    const Folders folders;
    const auto path = folders.folder.path();
    net::Loop loop;
    const host::SystemClock clock;
    test::QuietLog log;
    host::TokensFile tokens((path / "tokens").string(), {loop, clock, log}, [&] { loop.stop(); });
    const std::string copy = (path / "run" / access::revoked_name).string();
    tokens.watch_revoked(copy);
    const auto counts = [&](const std::string& name) {
        return tokens.book().find(access::token_hash(name), clock.wall()) != nullptr;
    };
    CHECK(counts("shop"));
    std::ofstream(copy + ".new") << access::token_hash("shop") << "\n";
    std::filesystem::rename(copy + ".new", copy);
    const auto over = loop.after(20s, [&] { loop.stop(); });
    loop.run();
    CHECK_FALSE(counts("shop"));
    CHECK(counts("eyes"));
    tokens.stop();
}
