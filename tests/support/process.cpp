#include "tests/support/process.hpp"

#include "tests/support/read_file.hpp"
#include "tests/support/temp_dir.hpp"

#include <stdexcept>

namespace smsrack::test {

Finished run(Command command, std::chrono::milliseconds within) {
    const TempDir folder;
    command.output = folder.path() / "output";
    Process process(command);
    const auto ending = process.wait(within);
    if (!ending) {
        throw std::runtime_error(command.words[0] +
                                 " did not end in time: " + read_file(command.output));
    }
    return {*ending, read_file(command.output)};
}

}  // namespace smsrack::test
