// A step for Jenkins pipelines, in a shared library whose path is packaging/jenkins:
//
//     apitest suites: ['tests'], arguments: ['--tag=smoke'], package: 'apitest==0.1.0'
//
// Failed tests make the build unstable. Every other error makes it fail.

/**
 * Runs suites, and publishes the results.
 *
 * suites     suites or directories of suites (default: tests)
 * arguments  further arguments
 * reports    directory for the JUnit XML and the HTML page (default: apitest-reports)
 * package    what pip installs in a virtual environment; by default, apitest is in the PATH of the agent
 */
def call(Map options = [:]) {
    for (name in options.keySet()) {
        if (!(name in ['suites', 'arguments', 'reports', 'package'])) {
            error "apitest: unknown option ${name}"
        }
    }
    def reports = options.reports ?: 'apitest-reports'
    def program = 'apitest'
    if (options.package) {
        sh 'python3 -m venv .apitest'
        sh ".apitest/bin/pip install --quiet --disable-pip-version-check ${quoted(options.package)}"
        program = '.apitest/bin/apitest'
    }
    def words = [program, 'run', '--report', "junit=${reports}/junit.xml", '--report', "html=${reports}/index.html"]
    words += (options.suites ?: ['tests']) + (options.arguments ?: [])
    def command = ''
    for (word in words) {
        command += quoted(word) + ' '
    }
    // A report of the previous build must not be taken for that of this one.
    sh "rm -rf ${quoted(reports)}"
    def status = sh(script: command, returnStatus: true)
    archiveArtifacts artifacts: "${reports}/**", allowEmptyArchive: true
    if (status > 1) {
        error "apitest exited with status ${status}"
    }
    junit testResults: "${reports}/junit.xml"
}

/** Returns a word as the shell reads it. */
private String quoted(word) {
    return "'" + word.toString().replace("'", "'\\''") + "'"
}
