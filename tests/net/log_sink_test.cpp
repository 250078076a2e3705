#include "firmware-host/process/log_sink.hpp"

#include "tests/support/manual_clock.hpp"

#include <doctest/doctest.h>

#include <array>
#include <fcntl.h>
#include <string>
#include <unistd.h>

using namespace smsrack;

namespace {

/// Takes what the process writes to standard error, from its start to its end.
class StandardError {
public:
    StandardError() : before_(::dup(STDERR_FILENO)) {
        REQUIRE(::pipe2(pipe_.data(), O_CLOEXEC | O_NONBLOCK) == 0);
        REQUIRE(::dup2(pipe_[1], STDERR_FILENO) >= 0);
    }
    ~StandardError() {
        ::dup2(before_, STDERR_FILENO);
        ::close(before_);
        ::close(pipe_[0]);
        ::close(pipe_[1]);
    }
    StandardError(const StandardError&) = delete;
    StandardError& operator=(const StandardError&) = delete;

    [[nodiscard]] std::string taken() const {
        std::string text(host::LogSink::held_max * 2, '\0');
        const ssize_t size = ::read(pipe_[0], text.data(), text.size());
        text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
        return text;
    }

private:
    int before_;
    std::array<int, 2> pipe_{};
};

}  // namespace

TEST_CASE("LogSink: a plain word stays as it is, and what would not read as one is quoted") {
    const StandardError standard_error;
    const test::ManualClock clock;
    host::LogSink sink(LogLevel::info, true, clock);
    sink.info("request", {{"route", "/v1/messages/{id}"},
                          {"words", "two words"},
                          {"nothing", ""},
                          {"name", "a=b"},
                          {"quote", "a\"b"},
                          {"line", "a\nb"}});
    const std::string line = standard_error.taken();
    CHECK(
        line.starts_with("<6>event=request route=/v1/messages/{id} words=\"two words\" "
                         "nothing=\"\" name=\"a=b\" quote=\"a\\\"b\" line="));
    CHECK(line.find('\n') == line.size() - 1);
}

TEST_CASE("LogSink: lines that are held leave together and in their order") {
    const StandardError standard_error;
    const test::ManualClock clock;
    host::LogSink sink(LogLevel::info, true, clock);
    sink.info("at_once");
    CHECK(standard_error.taken() == "<6>event=at_once\n");
    sink.hold();
    sink.info("one");
    sink.info("two");
    CHECK(standard_error.taken().empty());

    SUBCASE("at flush") {
        sink.flush();
        CHECK(standard_error.taken() == "<6>event=one\n<6>event=two\n");
        sink.flush();
        CHECK(standard_error.taken().empty());
    }
    SUBCASE("with a warning") {
        sink.warn("three");
        CHECK(standard_error.taken() == "<6>event=one\n<6>event=two\n<4>event=three\n");
    }
    SUBCASE("when the room is full") {
        const std::string most(host::LogSink::held_max, 'x');
        sink.info("three", {{"text", most}});
        CHECK(standard_error.taken().size() > host::LogSink::held_max);
    }
}
