// Executes a step of a shared library: groovy jenkins.groovy STEP OPTIONS
// The last line that it prints is the result of the build.
import groovy.json.JsonSlurper

class Stopped extends Exception {
    Stopped(String message) { super(message) }
}

def result = 'SUCCESS'
def step = new GroovyShell().parse(new File(args[0]))
def execute = { String script ->
    new ProcessBuilder('sh', '-xe', '-c', script).redirectErrorStream(true).inheritIO().start().waitFor()
}
step.metaClass.sh = { Object options ->
    def call = options instanceof Map ? options : [script: options]
    def status = execute(call.script.toString())
    if (call.returnStatus) { return status }
    if (status != 0) { throw new Stopped("script returned exit code ${status}") }
}
step.metaClass.error = { Object message -> throw new Stopped(message.toString()) }
step.metaClass.archiveArtifacts = { Map options -> println "archiveArtifacts: ${options.artifacts}" }
step.metaClass.junit = { Map options ->
    println "junit: ${options.testResults}"
    def suites = new XmlSlurper().parse(new File(System.getProperty('user.dir'), options.testResults.toString()))
    if (suites.'**'.any { it.name() in ['failure', 'error'] }) { result = 'UNSTABLE' }
}
try {
    step.call(new JsonSlurper().parseText(args[1]))
} catch (Stopped stopped) {
    result = "FAILURE: ${stopped.message}"
}
println result
