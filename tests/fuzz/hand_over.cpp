// What one run of the service leaves to the next, as text: read and said again it is the same, and no descriptor is lost.
#include "firmware-host/upgrade/hand_over_text.hpp"
#include "src/base/check.hpp"
#include "tests/fuzz/input.hpp"

#include <fcntl.h>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace smsrack::fuzz {
namespace {

constexpr int descriptors_told = 8;

std::vector<serial::OwnedFd> doubles_of(const std::vector<int>& descriptors) {
    std::vector<serial::OwnedFd> doubles;
    for (const int fd : descriptors) {
        doubles.emplace_back(::fcntl(fd, F_DUPFD_CLOEXEC, 0));
    }
    return doubles;
}

bool is_open(int fd) {
    return ::fcntl(fd, F_GETFD) >= 0;
}

void check_again(const host::HandOver& hand_over) {
    const host::HandOverText said = host::encode(hand_over);
    for (const int fd : said.descriptors) {
        SMSRACK_CHECK(is_open(fd));
    }
    const auto again = host::decode(said.text, doubles_of(said.descriptors));
    SMSRACK_CHECK(again.has_value());
    const host::HandOverText same = host::encode(*again);
    SMSRACK_CHECK(same.text == said.text && same.descriptors.size() == said.descriptors.size());
}

}  // namespace

int fuzz_hand_over(Octets input) {
    std::vector<serial::OwnedFd> descriptors =
        doubles_of(std::vector<int>(descriptors_told, STDERR_FILENO));
    std::vector<int> numbers;
    for (const serial::OwnedFd& fd : descriptors) {
        numbers.push_back(fd.get());
    }
    {
        const auto hand_over = host::decode(text_of(input), std::move(descriptors));
        if (hand_over) {
            check_again(*hand_over);
        } else {
            SMSRACK_CHECK(hand_over.error().code == Errc::protocol);
            SMSRACK_CHECK(hand_over.error().context.starts_with("hand-over: "));
        }
    }
    for (const int fd : numbers) {
        SMSRACK_CHECK(!is_open(fd));
    }
    return 0;
}

}  // namespace smsrack::fuzz
