/// A box in a temporary folder, whose programs answer by script and whose waits cost no time.
#pragma once

#include "tests/support/manual_clock.hpp"
#include "tests/support/read_file.hpp"
#include "tests/support/temp_dir.hpp"
#include "tools/smsrack/context.hpp"
#include "tools/smsrack/firmware/firmware_box.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace smsrack::test {

/// Answers the first script whose words a call begins with; a call that has none can't be started.
class FakePrograms final : public cli::ProgramRunner {
public:
    struct Script {
        std::string words;  // "rauc status"
        cli::ProgramAnswer answer = {};
    };

    [[nodiscard]] Result<cli::ProgramAnswer> run(const std::vector<std::string>& words,
                                                 const LineSink& sink) override {
        std::string call;
        for (const std::string& word : words) {
            call += (call.empty() ? "" : " ") + word;
        }
        calls.push_back(call);
        for (const Script& script : scripts) {
            if (call.starts_with(script.words)) {
                if (sink) {
                    sink(script.answer.out);
                }
                return script.answer;
            }
        }
        return fail(Errc::not_found, words.front() + " can't be started: not found");
    }

    [[nodiscard]] bool called(const std::string& call) const {
        return std::find(calls.begin(), calls.end(), call) != calls.end();
    }

    std::vector<Script> scripts;
    std::vector<std::string> calls;
};

/// What goes to standard output and standard error from its beginning to its end.
class Captured {
public:
    Captured() {
        std::fflush(stdout);
        for (const int fd : {STDOUT_FILENO, STDERR_FILENO}) {
            const std::string file = (folder_.path() / std::to_string(fd)).string();
            kept_.push_back(::dup(fd));
            std::FILE* const to = std::fopen(file.c_str(), "w");
            ::dup2(::fileno(to), fd);
            std::fclose(to);
        }
    }
    Captured(const Captured&) = delete;
    Captured& operator=(const Captured&) = delete;
    ~Captured() { end(); }

    void end() {
        std::fflush(stdout);
        for (std::size_t i = 0; i < kept_.size(); ++i) {
            ::dup2(kept_[i], static_cast<int>(i) + STDOUT_FILENO);
            ::close(kept_[i]);
        }
        kept_.clear();
    }
    [[nodiscard]] std::string out() const { return read_file((folder_.path() / "1").string()); }
    [[nodiscard]] std::string err() const { return read_file((folder_.path() / "2").string()); }

private:
    TempDir folder_;
    std::vector<int> kept_;
};

/// What RAUC 1.8 says of a slot.
struct RaucSlot {
    bool booted = false;
    bool good = true;
    std::string version = {};  ///< empty: nothing was ever installed there
    std::string sha256 = {};
};

[[nodiscard]] inline std::string rauc_status(const RaucSlot& a, const RaucSlot& b,
                                             const std::string& primary = "rootfs.0") {
    const auto slot = [](const char* name, const char* bootname, const RaucSlot& of) {
        const std::string status =
            of.version.empty()
                ? R"({"bundle":{"compatible":null}})"
                : R"({"bundle":{"compatible":"smsrack-amd64","version":")" + of.version +
                      R"("},"checksum":{"sha256":")" + of.sha256 +
                      R"(","size":65536},"installed":{"timestamp":"2026-01-01T00:00:00Z","count":1},"status":"ok"})";
        return std::string(R"({")") + name +
               R"(":{"class":"rootfs","device":"/dev/disk/by-partlabel/rootfs","type":"raw","bootname":")" +
               bootname + R"(","state":")" + (of.booted ? "booted" : "inactive") +
               R"(","parent":null,"mountpoint":null,"boot_status":")" + (of.good ? "good" : "bad") +
               R"(","slot_status":)" + status + "}}";
    };
    return R"({"compatible":"smsrack-amd64","variant":"","booted":"A","boot_primary":)" +
           (primary.empty() ? "null" : "\"" + primary + "\"") + R"(,"slots":[)" +
           slot("rootfs.1", "B", b) + "," + slot("rootfs.0", "A", a) + "]}\n";
}

class FirmwareRig {
public:
    struct Ended {
        int code = -1;
        std::string out = {};
        std::string err = {};
        std::string why = {};  ///< of a failure
    };

    FirmwareRig() {
        write("etc/rauc/system.conf", "[system]\n");
        std::filesystem::create_directories(root() / "data/firmware");
    }

    [[nodiscard]] std::filesystem::path root() const { return folder.path(); }
    void write(const std::string& file, const std::string& text) const {
        std::filesystem::create_directories((root() / file).parent_path());
        std::ofstream(root() / file, std::ios::binary) << text;
    }
    [[nodiscard]] std::string read(const std::string& file) const {
        return read_file((root() / file).string());
    }
    /// `status` is what RAUC says; marking and installing succeed, and the scripts of the box.
    void rauc(const std::string& status) {
        programs.scripts = {
            {"rauc status --detailed", {.out = status}},
            {"rauc status mark-", {}},
            {"rauc info", {.out = R"({"compatible":"smsrack-amd64","version":"2.0.0"})"}},
            {cli::floor_script + std::string(" show"), {.out = "1.0\n"}},
            {cli::floor_script + std::string(" admits"), {}},
            {cli::configuration_script, {}},
            {cli::settle_script, {}},
            {"rauc install", {}},
            {"smsrackd --about", {.out = R"({"version":"2.0.0","schema":14,"readable_from":14})"}},
            {"systemctl reboot", {}}};
    }
    void script(const std::string& words, cli::ProgramAnswer answer) {
        programs.scripts.insert(programs.scripts.begin(), {words, std::move(answer)});
    }

    /// `work`: one of the firmware commands.
    Ended run(const std::function<cli::Outcome<>(const cli::FirmwareBox&, cli::Context&)>& work) {
        cli::Console console({});
        cli::Context context{
            .console = console, .socket = socket, .socket_given = true, .json = json};
        const cli::FirmwareBox box{.root = root(),
                                   .programs = programs,
                                   .clock = clock,
                                   .wait = [this](std::chrono::milliseconds time) {
                                       clock.advance(time);
                                       return on_wait && on_wait();
                                   }};
        Captured captured;
        const auto outcome = work(box, context);
        captured.end();
        return {.code = static_cast<int>(outcome ? *outcome : outcome.error().code),
                .out = captured.out(),
                .err = captured.err(),
                .why = outcome ? "" : outcome.error().message};
    }

    TempDir folder;
    ManualClock clock;
    FakePrograms programs;
    std::string socket = "/nowhere.sock";
    bool json = false;
    std::function<bool()> on_wait;  ///< true: a signal came
};

}  // namespace smsrack::test
