// What a kill leaves of a message that boxes share: all of its 202, or of its becoming firm.
#include "db/upkeep/check.hpp"
#include "tests/db/fleet_fixture.hpp"

#include <array>
#include <csignal>
#include <limits>
#include <set>
#include <sys/wait.h>
#include <unistd.h>

using namespace smsrack;
using test::FleetFixture;

namespace {

void say(int pipe, std::int64_t id) {
    (void)!write(pipe, &id, sizeof id);
}

/// Accepts and makes firm every second one, for ever; says what is committed: -id for a firm one.
[[noreturn]] void work(FleetFixture& f, int pipe) {
    auto opened = f.try_open();
    if (!opened) {
        _exit(1);
    }
    f.store = *std::move(opened);
    for (int i = 0;; ++i) {
        f.store->post(ports::Accept{f.shared_message()},
                      [&f, pipe, i](const Result<ports::Accepted>& a) {
                          say(pipe, a->id.value);
                          if (i % 2 == 0) {
                              f.store->post(ports::MakeFirm{{a->id}, Epoch{1}, f.clock.wall()},
                                            [pipe](const Result<std::vector<MessageId>>& firm) {
                                                say(pipe, -firm->at(0).value);
                                            });
                          }
                      });
        f.store->writer().step(f.clock.steady());
    }
}

}  // namespace

TEST_CASE("fleet durability: killed at any moment, each answered message is there, firm or not") {
    FleetFixture f;
    f.store.reset();
    std::set<std::int64_t> accepted;
    std::set<std::int64_t> firm;
    for (int round = 0; round < 5; ++round) {
        std::array<int, 2> answers{};
        REQUIRE(pipe(answers.data()) == 0);
        const pid_t child = fork();
        if (child == 0) {
            work(f, answers[1]);
        }
        close(answers[1]);
        const auto read_answers = [&](int most) {
            std::int64_t id = 0;
            for (int n = 0; n < most && read(answers[0], &id, sizeof id) == sizeof id; ++n) {
                CHECK((id > 0 ? accepted : firm).insert(std::abs(id)).second);
            }
        };
        read_answers(5 + 17 * round);
        kill(child, SIGKILL);
        int status = 0;
        waitpid(child, &status, 0);
        CHECK(WIFSIGNALED(status));
        read_answers(std::numeric_limits<int>::max());
        close(answers[0]);
    }
    f.open();
    CHECK(accepted.size() > 10);
    CHECK(firm.size() > 3);
    for (const std::int64_t id : accepted) {
        const ports::FleetRow place = f.place(MessageId{id});
        const bool is_firm = place.stage == FleetStage::firm;
        CHECK((is_firm || place.stage == FleetStage::here));
        CHECK((is_firm || !firm.contains(id)));
        CHECK(place.state == (is_firm ? MessageState::queued : MessageState::elsewhere));
    }
    CHECK(db::check(f.folder.file("smsrack.db"))->problems.empty());
}
