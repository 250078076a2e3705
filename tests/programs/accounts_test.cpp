// The service and its neighbours: real programs of other accounts, each with what its groups give it and no more.
#include "tests/support/accounts.hpp"

#include "tests/support/rack.hpp"
#include "tests/support/read_file.hpp"
#include "tests/support/wait_for.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace smsrack::test {
namespace {

using namespace std::chrono_literals;

constexpr gid_t api = 61'011;
constexpr gid_t read = 61'012;
constexpr gid_t admin = 61'013;

struct Account {
    const char* name;
    uid_t uid;
    std::vector<gid_t> groups = {};
};

const Account service{"rack-service", 61'001, {api}};
const Account anna{"anna", 61'002, {api}};
const Account bert{"bert", 61'003, {api}};
const Account rita{"rita", 61'004, {api, read}};
const Account adam{"adam", 61'005, {api, admin}};
const Account eve{"eve", 61'006};

/// Without root nothing is shown here; `sudo -n` may give it.
bool is_root_or_done() {
    const std::string why = Accounts::why_not();
    if (why.empty()) {
        return true;
    }
    const std::string sudo = "/usr/bin/sudo";
    if (geteuid() != 0 && access(sudo.c_str(), X_OK) == 0 &&
        run({.words = {sudo, "-n", "true"}}).ending.code == 0) {
        const auto self = std::filesystem::read_symlink("/proc/self/exe").string();
        const Finished all =
            run({.words = {sudo, "-n", self, "--source-file=*/accounts_test.cpp"}}, 280s);
        CHECK_MESSAGE(all.ending.code == 0, all.output);
    } else {
        MESSAGE("skipped: ", why);
    }
    return false;
}

/// A rack whose service runs as an account of its own, and neighbours with other accounts.
class Neighbourhood {
public:
    explicit Neighbourhood(std::string config = "") {
        rack_ = std::make_unique<Rack>(RackPlan{.modems = 2,
                                                .config = std::move(config),
                                                .user = service.uid,
                                                .groups = service.groups},
                                       false);
        // As /run and /var/lib are, through which everyone passes.
        std::filesystem::permissions(rack_->folder(), std::filesystem::perms(0755));
        rack_->start_service();
    }

    [[nodiscard]] const Rack& rack() const { return *rack_; }
    [[nodiscard]] Rack& rack() { return *rack_; }

    /// Any program, as this account.
    [[nodiscard]] static Finished as(const Account& who, std::vector<std::string> words) {
        return run({.words = std::move(words), .user = who.uid, .groups = who.groups}, 60s);
    }

    /// `smsrack` with these words, as this account.
    [[nodiscard]] Finished smsrack(const Account& who, std::vector<std::string> words) const {
        std::vector<std::string> all{rack_->program("smsrack"), "--json", "--socket",
                                     rack_->socket()};
        all.insert(all.end(), std::make_move_iterator(words.begin()),
                   std::make_move_iterator(words.end()));
        return as(who, std::move(all));
    }

    /// The id of a message that this account may send.
    [[nodiscard]] std::string sent(const Account& who,
                                   std::vector<std::string> options = {}) const {
        std::vector<std::string> words{"send", "--to", "+33612345678",
                                       "of " + std::string(who.name)};
        words.insert(words.end(), options.begin(), options.end());
        const Finished finished = smsrack(who, words);
        REQUIRE_MESSAGE(finished.ending.code == 0, finished.output);
        return wire::parse_json(finished.output).value().at("id");
    }

    [[nodiscard]] std::size_t listed(const Account& who) const {
        const Finished finished = smsrack(who, {"messages"});
        REQUIRE_MESSAGE(finished.ending.code == 0, finished.output);
        return wire::parse_json(finished.output).value().at("messages").size();
    }

private:
    const Accounts accounts_{
        fmt::format("{0}:x:{1}:{1}::/:/bin/sh\n{2}:x:{3}:{3}::/:/bin/sh\n", service.name,
                    service.uid, anna.name, anna.uid),
        fmt::format("smsrack-api:x:{}:\nsmsrack-read:x:{}:\nsmsrack-admin:x:{}:\n", api, read,
                    admin)};
    std::unique_ptr<Rack> rack_;
};

void check_refused(const Finished& finished, const std::string& group) {
    CAPTURE(finished.output);
    CHECK(finished.ending.code == 77);
    CHECK(finished.output.contains("usermod -aG " + group + " "));
}

}  // namespace

TEST_CASE("accounts: the groups decide what an account may, and a refusal says how to join them") {
    if (!is_root_or_done()) {
        return;
    }
    const Neighbourhood n("[[client]]\nname = \"billing\"\nuser = \"anna\"\n");
    struct stat socket {};
    REQUIRE(stat(n.rack().socket().c_str(), &socket) == 0);
    CHECK(socket.st_uid == service.uid);
    CHECK(socket.st_gid == api);
    CHECK((socket.st_mode & 07777U) == 0660U);

    check_refused(n.smsrack(eve, {"send", "--to", "+33612345678", "x"}), "smsrack-api");

    const std::string of_anna = n.sent(anna, {"--wait"});
    const std::string of_bert = n.sent(bert);
    const std::string of_billing = n.sent(anna, {"--client", "billing"});

    SUBCASE("a sender has its own messages, and no others") {
        CHECK(n.smsrack(anna, {"show", of_anna}).ending.code == 0);
        CHECK(n.smsrack(anna, {"explain", of_billing}).ending.code == 0);
        CHECK(n.listed(anna) == 2);
        CHECK(n.listed(bert) == 1);
        for (const char* const command : {"show", "explain", "cancel", "again"}) {
            CAPTURE(command);
            const Finished finished = n.smsrack(bert, {command, of_anna});
            CHECK(finished.ending.code == 1);
            CHECK(finished.output.contains("no message has this id"));
        }
        CHECK(n.smsrack(bert, {"send", "--client", "billing", "--to", "+33612345678", "x"})
                  .ending.code == 77);
        check_refused(n.smsrack(bert, {"inbox"}), "smsrack-read");
        check_refused(n.smsrack(bert, {"status"}), "smsrack-read");
        check_refused(n.smsrack(bert, {"optout", "add", "+33612345678"}), "smsrack-admin");
        check_refused(n.smsrack(bert, {"optout", "remove", "+33612345678"}), "smsrack-admin");
    }
    SUBCASE("a reader sees everything and changes nothing") {
        CHECK(n.smsrack(rita, {"show", of_bert}).ending.code == 0);
        CHECK(n.listed(rita) == 3);
        CHECK(n.smsrack(rita, {"inbox"}).ending.code == 0);
        check_refused(n.smsrack(rita, {"optout", "add", "+33612345678"}), "smsrack-admin");
        check_refused(n.smsrack(rita, {"pause"}), "smsrack-admin");
        CHECK(n.smsrack(rita, {"cancel", of_bert}).ending.code == 77);
        CHECK(n.rack().reaches(of_bert, "delivered"));
        CHECK(n.smsrack(rita, {"again", of_bert, "--allow-duplicate"}).ending.code == 0);
    }
    SUBCASE("an administrator changes everything, and so do the service's user and root") {
        CHECK(n.smsrack(adam, {"optout", "add", "+33699999999"}).ending.code == 0);
        CHECK(n.smsrack(adam, {"optout", "remove", "+33699999999"}).ending.code == 0);
        CHECK(n.smsrack(adam, {"pause"}).ending.code == 0);
        CHECK(n.smsrack({"rack-service", service.uid}, {"resume"}).ending.code == 0);
        CHECK(n.rack().command({"pause"}).ending.code == 0);
    }
}

TEST_CASE("accounts: a sender's stream stays its own over an upgrade of the service") {
    if (!is_root_or_done()) {
        return;
    }
    Neighbourhood n;
    const auto follow = [&](const Account& who) {
        return std::make_unique<Process>(
            Command{.words = {"/usr/bin/curl", "-sN", "--unix-socket", n.rack().socket(),
                              "http://localhost/v1/events"},
                    .output = n.rack().folder() / (std::string(who.name) + ".events"),
                    .user = who.uid,
                    .groups = who.groups});
    };
    const auto stream_of_anna = follow(anna);
    const auto stream_of_rita = follow(rita);
    const auto heard = [&](const Account& who, const std::string& id) {
        return read_file(n.rack().folder() / (std::string(who.name) + ".events"))
            .contains("\"" + id + "\"");
    };
    std::string of_anna = n.sent(anna);
    std::string of_bert = n.sent(bert);
    CHECK(wait_for(20s, [&] { return heard(anna, of_anna) && heard(rita, of_bert); }));
    CHECK_FALSE(heard(anna, of_bert));

    const Finished upgrade = n.rack().command({"--json", "upgrade", n.rack().program("smsrackd")});
    REQUIRE_MESSAGE(upgrade.ending.code == 0, upgrade.output);
    (void)n.rack().follow_service(wire::parse_json(upgrade.output).value().at("pid"));

    of_anna = n.sent(anna);
    of_bert = n.sent(bert);
    CHECK(wait_for(20s, [&] { return heard(anna, of_anna) && heard(rita, of_bert); }));
    CHECK_FALSE(heard(anna, of_bert));
}

TEST_CASE("accounts: who may use the socket may not reach database, lock file and PINs") {
    if (!is_root_or_done()) {
        return;
    }
    const Neighbourhood n;
    const std::string id = n.sent(anna);
    const auto state = n.rack().state_dir();
    CHECK((std::filesystem::status(state).permissions() & std::filesystem::perms(0077)) ==
          std::filesystem::perms::none);
    std::size_t files = 0;
    for (const auto& file : std::filesystem::directory_iterator(state)) {
        const std::string path = file.path().string();
        CAPTURE(path);
        ++files;
        CHECK((file.status().permissions() & std::filesystem::perms(0177)) ==
              std::filesystem::perms::none);
        for (const Account& who : {anna, rita, adam}) {
            CHECK(Neighbourhood::as(who, {"/bin/cat", path}).output.contains("Permission denied"));
        }
    }
    CHECK(files >= 4);  // database, its log and index, lock
    CHECK(Neighbourhood::as(anna, {"/bin/ls", state}).ending.code != 0);
    CHECK(Neighbourhood::as(anna, {"/usr/bin/flock", "-n", state / "lock", "true"}).ending.code !=
          0);
    CHECK(n.rack().reaches(id, "delivered"));
}

TEST_CASE("accounts: an installation that is open to others is named, with the command") {
    if (!is_root_or_done()) {
        return;
    }
    Neighbourhood n;
    const auto state = n.rack().state_dir();
    const auto doctor = [&] {
        const Finished finished = run({.words = {n.rack().program("smsrack"), "--json", "doctor",
                                                 "--config", n.rack().config_file()}},
                                      60s);
        const wire::Json answer = wire::parse_json(finished.output).value();
        for (const wire::Json& finding : answer.at("findings")) {
            if (finding.at("subject") == "rights") {
                return finding;
            }
        }
        return wire::Json();
    };
    CHECK(doctor().at("ok") == true);
    CHECK_FALSE(n.rack().service_log().contains("rights_too_open"));

    std::filesystem::permissions(state, std::filesystem::perms(0750));
    std::filesystem::permissions(state / "smsrack.db", std::filesystem::perms(0640));
    const wire::Json finding = doctor();
    CHECK(finding.at("problem") == "rights_too_open");
    CHECK(finding.at("text").get<std::string>().contains("smsrack.db has mode 0640"));
    CHECK(finding.at("advice").get<std::string>().contains("systemd-tmpfiles --create"));
    (void)n.rack().stop_service();
    n.rack().start_service();
    CHECK(n.rack().service_log().contains("rights_too_open"));
    CHECK(n.rack().service_log().contains("systemd-tmpfiles --create"));
    // It is root's to repair.
    CHECK(std::filesystem::status(state).permissions() == std::filesystem::perms(0750));
}

TEST_CASE("a lock that another program holds is named with that program") {
    const std::string python = "/usr/bin/python3";
    Rack rack({.modems = 1});
    const auto state = rack.state_dir();
    const auto hold = [&](const std::string& script, const std::filesystem::path& file) {
        auto process = std::make_unique<Process>(
            Command{.words = {python, "-c",
                              "import fcntl,sys,time\nf=open(sys.argv[1],'r+b')\n" + script +
                                  "\nprint('held',flush=True)\ntime.sleep(300)",
                              file},
                    .output = rack.folder() / "holder.log"});
        REQUIRE(wait_for(20s,
                         [&] { return read_file(rack.folder() / "holder.log").contains("held"); }));
        return process;
    };
    SUBCASE("SQLite's write lock: the refusal of a message") {
        constexpr const char* wal_write_lock = "fcntl.lockf(f,fcntl.LOCK_SH,1,120)";
        const auto holder = hold(wal_write_lock, state / "smsrack.db-shm");
        const HttpAnswer answer =
            rack.http("POST", "/v1/messages", R"({"to":"+33612345678","text":"x"})");
        CAPTURE(answer.body);
        CHECK(answer.status == 507);
        CHECK(answer.body.contains("python3 (process " + std::to_string(holder->pid())));
    }
    SUBCASE("the state folder's: the start of the service") {
        (void)rack.stop_service();
        const auto holder = hold("fcntl.flock(f,fcntl.LOCK_EX)", state / "lock");
        rack.launch_service();
        CHECK(wait_for(20s, [&] { return !rack.service().running(); }));
        CHECK(rack.service_log().contains("is in use by python3 (process " +
                                          std::to_string(holder->pid())));
    }
}

}  // namespace smsrack::test
